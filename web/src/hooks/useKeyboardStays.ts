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
