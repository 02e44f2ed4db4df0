import { useCallback, useEffect, useRef, useState } from 'react';

const NEAR = 80;
const MARGIN = 16;

/** The scroll position that shows the end, but keeps the latest question visible: the reader starts at the beginning of an answer. */
function place(box: HTMLElement, whole: boolean): number {
  const end = box.scrollHeight - box.clientHeight;
  const question = [...box.querySelectorAll('[data-role=user]')].at(-1);
  if (whole || !question) return end;
  const top = box.scrollTop + question.getBoundingClientRect().top - box.getBoundingClientRect().top;
  return Math.max(0, Math.min(end, top - MARGIN));
}

/** Scrolls a growing list of messages, until the reader scrolls. A reader at the end stays at the end. */
export function useFollowAnswer(key: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const whole = useRef(false); // at the end, with the question out of view
  const ours = useRef(-1); // the position that this hook scrolled to
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
    if (box.current) observer.observe(box.current); // a box that grows may be scrolled back by the browser
    return () => observer.disconnect();
  }, [key, keepUp]);

  return { box, inner, onScroll, away, follow, toEnd };
}
