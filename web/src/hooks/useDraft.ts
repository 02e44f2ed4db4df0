import { useEffect, useState } from 'react';
import { readStored, writeStored } from '../utils/storage';

function keyOf(place: string): string {
  return `sextant-draft:${place}`;
}

export function writeDraft(place: string, text: string): void {
  writeStored(keyOf(place), text);
}

/** The unsent text of each chat; it survives a reload. */
export function useDraft(place: string): [string, (text: string) => void] {
  const key = keyOf(place);
  const [draft, setDraft] = useState({ key, text: readStored(key) });
  const text = draft.key === key ? draft.text : readStored(key);
  useEffect(() => {
    if (draft.key !== key) setDraft({ key, text: readStored(key) });
  }, [draft.key, key]);
  const set = (next: string) => {
    setDraft({ key, text: next });
    writeStored(key, next);
  };
  return [text, set];
}
