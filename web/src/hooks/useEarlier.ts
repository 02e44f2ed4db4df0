import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Fetch more when the reader is this close to the beginning. */
const NEAR = 1500;

interface Earlier {
  /** Absent if there are no earlier messages. Calls `before` when they have arrived and are not shown yet. */
  fetch?: (before: () => void) => Promise<void>;
  /** Changes when earlier messages have arrived. */
  firstId: string | undefined;
}

/** Fetches earlier messages before the reader reaches them, and keeps the text in view in place. */
export function useEarlier(box: RefObject<HTMLElement | null>, { fetch, firstId }: Earlier) {
  const [error, setError] = useState<unknown>(null);
  const anchor = useRef<{ element: Element; top: number } | null>(null);

  const remember = useCallback(() => {
    const top = box.current?.getBoundingClientRect().top ?? 0;
    const seen = [...(box.current?.querySelectorAll('[id^="m-"]') ?? [])].find(
      (element) => element.getBoundingClientRect().bottom > top,
    );
    anchor.current = seen ? { element: seen, top: seen.getBoundingClientRect().top } : null;
  }, [box]);
  const load = useCallback(() => {
    if (!fetch) return;
    setError(null);
    fetch(remember).catch(setError);
  }, [fetch, remember]);

  useLayoutEffect(() => {
    if (!anchor.current || !box.current) return;
    const { element, top } = anchor.current;
    anchor.current = null;
    box.current.scrollTop += element.getBoundingClientRect().top - top;
  }, [box, firstId]);
  useEffect(() => {
    const it = box.current;
    if (!it || error) return undefined;
    const look = () => {
      if (anchor.current) remember(); // the page is about to render them
      else if (it.scrollTop < NEAR) load();
    };
    it.addEventListener('scroll', look, { passive: true });
    return () => it.removeEventListener('scroll', look);
  }, [box, error, load, remember]);
  return { load, error };
}
