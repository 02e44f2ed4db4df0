import { useCallback, useEffect, useRef, useState } from 'react';

const NEAR = 80;
const MARGIN = 16;

/** How far down the box stands when its end is in sight, but the latest question too: an answer is read from its beginning. */
function place(box: HTMLElement, whole: boolean): number {
  const end = box.scrollHeight - box.clientHeight;
  const question = [...box.querySelectorAll('[data-role=user]')].at(-1);
  if (whole || !question) return end;
  const top = box.scrollTop + question.getBoundingClientRect().top - box.getBoundingClientRect().top;
  return Math.max(0, Math.min(end, top - MARGIN));
}

/** Keeps up with a scrolled box of messages as it grows, until the reader scrolls; at its end he is followed on. */
export function useFollowAnswer(key: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const whole = useRef(false); // to the very end, past the question
  const ours = useRef(-1); // where we have scrolled to
  const [away, setAway] = useState(false);

  const keepUp = useCallback(() => {
    const it = box.current;
    if (!it) return;
    it.scrollTop = place(it, whole.current);
    ours.current = it.scrollTop;
  }, []);
  const onScroll = useCallback(() => {
    const it = box.current!;
    const near = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR;
    setAway(!near);
    if (Math.abs(it.scrollTop - ours.current) < 2) return;
    follows.current = near;
    whole.current = near;
  }, []);
  const begin = useCallback((toEnd: boolean) => {
    follows.current = true;
    whole.current = toEnd;
    keepUp();
  }, [keepUp]);
  const follow = useCallback(() => begin(false), [begin]);
  const toEnd = useCallback(() => begin(true), [begin]);

  useEffect(() => {
    follows.current = !location.hash.startsWith('#m-');
    whole.current = false;
    if (!inner.current || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => {
      if (follows.current) keepUp();
      const it = box.current!;
      setAway(it.scrollHeight - it.scrollTop - it.clientHeight >= NEAR);
    });
    observer.observe(inner.current);
    return () => observer.disconnect();
  }, [key, keepUp]);

  return { box, inner, onScroll, away, follow, toEnd };
}
