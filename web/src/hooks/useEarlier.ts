import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** The chat is this far from its beginning when more of it is fetched. */
const NEAR = 1500;

interface Earlier {
  /** Absent when there are none. Calls `before` when they are there and not yet shown. */
  fetch?: (before: () => void) => Promise<void>;
  /** Changes when some have come. */
  firstId: string | undefined;
}

/** Brings earlier messages before the reader comes to them, and leaves what is read where it is. */
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
      if (anchor.current) remember(); // they are on their way into the page
      else if (it.scrollTop < NEAR) load();
    };
    it.addEventListener('scroll', look, { passive: true });
    return () => it.removeEventListener('scroll', look);
  }, [box, error, load, remember]);
  return { load, error };
}
