import { useEffect, useState } from 'react';

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    // Without storage a draft lives as long as the page.
  }
}

function keyOf(place: string): string {
  return `sextant-draft:${place}`;
}

export function writeDraft(place: string, text: string): void {
  write(keyOf(place), text);
}

/** What was typed and not sent, by chat; a reload keeps it. */
export function useDraft(place: string): [string, (text: string) => void] {
  const key = keyOf(place);
  const [draft, setDraft] = useState({ key, text: read(key) });
  const text = draft.key === key ? draft.text : read(key);
  useEffect(() => {
    if (draft.key !== key) setDraft({ key, text: read(key) });
  }, [draft.key, key]);
  const set = (next: string) => {
    setDraft({ key, text: next });
    write(key, next);
  };
  return [text, set];
}
