export interface FoundPart {
  part: string;
  found: boolean;
}

/** The words of a search box; the server finds each as the beginning of a word. */
function wordsOf(search: string): string[] {
  return search.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** Splits a text where words begin with what was searched for. */
export function splitFound(text: string, search: string): FoundPart[] {
  const words = wordsOf(search);
  if (words.length === 0) return [{ part: text, found: false }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu');
  const parts = text.split(pattern);
  return parts.map((part, i) => ({ part, found: i % 2 === 1 })).filter(({ part }) => part !== '');
}
