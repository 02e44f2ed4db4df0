/** Names of downloaded files. */

const MOST = 60;

/** "Revenue by city, 2025?" as "revenue-by-city-2025"; without letters or digits: "". */
export function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+/, '');
  if (words.length <= MOST) return words.replace(/-+$/, '');
  return words.slice(0, MOST + 1).replace(/-[^-]*$/, '').slice(0, MOST).replace(/-+$/, '');
}

/** The name of a file about a question: "revenue-by-city.csv"; `fallback` where the question has no words. */
export function fileNameOf(question: string, fallback: string, ending: string): string {
  return `${slugOf(question) || fallback}.${ending}`;
}
