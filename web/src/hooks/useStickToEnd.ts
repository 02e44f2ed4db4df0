import { useCallback, useEffect, useRef, useState } from 'react';

const NEAR = 80;

/** Keeps a scrolled box at its end as it grows, unless the reader has scrolled up. */
export function useStickToEnd(key: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const it = box.current;
    if (it) it.scrollTop = it.scrollHeight;
  }, []);
  const onScroll = useCallback(() => {
    const it = box.current!;
    sticks.current = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR;
    setAway(!sticks.current);
  }, []);
  const stick = useCallback(() => {
    sticks.current = true;
    toEnd();
  }, [toEnd]);

  useEffect(() => {
    sticks.current = !location.hash.startsWith('#m-');
    if (!inner.current || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => sticks.current && toEnd());
    observer.observe(inner.current);
    return () => observer.disconnect();
  }, [key, toEnd]);

  return { box, inner, onScroll, away, stick };
}
