import { useEffect, useRef } from 'react';

/** When a user leaves a field by key, the focus returns to the element that the field replaced. */
export function useKeyboardBack(editing: boolean, id: string) {
  const byKey = useRef(false);
  useEffect(() => {
    if (editing || !byKey.current) return;
    byKey.current = false;
    document.getElementById(id)?.focus();
  }, [editing, id]);
  return byKey;
}

/** When the focused element disappears after a change of `state`, the focus moves to the element of this ref. */
export function useKeyboardHere<T extends HTMLElement>(state: unknown) {
  const place = useRef<T>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [state]);
  return place;
}

/**
 * For a list that changes: takes the id of the element that gets the focus when the focused element
 * disappears. It applies until the focus moves elsewhere.
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
