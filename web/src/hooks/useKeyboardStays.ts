import { useEffect, useRef } from 'react';

/** Where a field that took the place of something is left by a key, the keyboard is at that again. */
export function useKeyboardBack(editing: boolean, id: string) {
  const byKey = useRef(false);
  useEffect(() => {
    if (editing || !byKey.current) return;
    byKey.current = false;
    document.getElementById(id)?.focus();
  }, [editing, id]);
  return byKey;
}

/** Where what had the keyboard is gone after a change of `state`, it is at the element of this ref. */
export function useKeyboardHere<T extends HTMLElement>(state: unknown) {
  const place = useRef<T>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [state]);
  return place;
}

/**
 * Of a list that changes under the keyboard: takes the id of what shall have it where what had it is
 * gone, until it is elsewhere.
 */
export function useKeyboardKept(list: unknown): (id: string) => void {
  const kept = useRef<{ id: string; from: Element | null }>(undefined);
  useEffect(() => {
    if (!kept.current) return;
    const { id, from } = kept.current;
    const active = document.activeElement;
    if (active === document.body) document.getElementById(id)?.focus();
    else if (active !== from && active?.id !== id) kept.current = undefined;
  }, [list]);
  return (id) => {
    kept.current = { id, from: document.activeElement };
  };
}
