import { useCallback, useLayoutEffect, useRef, useState } from 'react';

const NEAR = 80;
const MARGIN = 16;

const latestQuestion = (box: HTMLElement) => [...box.querySelectorAll('[data-role=user]')].at(-1);

/** The place of an element among all that can be scrolled to. */
function topOf(element: Element, box: HTMLElement): number {
  return box.scrollTop + element.getBoundingClientRect().top - box.getBoundingClientRect().top;
}

/** The scroll position that shows the end, but keeps the latest question visible: the reader starts at the beginning of an answer. */
function place(box: HTMLElement, whole: boolean): number {
  const end = box.scrollHeight - box.clientHeight;
  const question = latestQuestion(box);
  if (whole || !question) return end;
  return Math.max(0, Math.min(end, topOf(question, box) - MARGIN));
}

/** The height that the latest question and its answer lack to fill the box. */
function roomBelow(box: HTMLElement, inner: HTMLElement): number {
  const question = latestQuestion(box);
  if (!question) return 0;
  const height = inner.getBoundingClientRect().bottom - question.getBoundingClientRect().top + MARGIN;
  return Math.max(0, Math.ceil(box.clientHeight - height));
}

/**
 * Scrolls a growing list of messages, until the reader scrolls. A reader at the end stays at the end. After
 * `follow` the latest question is at the top of the box, with room for its answer below: a short answer moves
 * nothing, whatever appears or disappears around the box meanwhile.
 */
export function useFollowAnswer(key: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const asked = useRef(false); // in this view: the answer gets room
  const follows = useRef(true);
  const whole = useRef(false); // at the end, with the question out of view
  const ours = useRef(-1); // the position that this hook scrolled to; -1: none yet
  const [away, setAway] = useState(false);

  const keepUp = useCallback(() => {
    const it = box.current;
    if (!it) return;
    it.scrollTop = place(it, whole.current);
    ours.current = it.scrollTop;
  }, []);
  const makeRoom = useCallback(() => {
    if (!box.current || !inner.current || !room.current) return;
    room.current.style.height = asked.current ? `${roomBelow(box.current, inner.current)}px` : '';
  }, []);
  const settle = useCallback(() => {
    makeRoom();
    if (follows.current) keepUp();
  }, [keepUp, makeRoom]);
  const onScroll = useCallback(() => {
    const it = box.current!;
    const near = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR;
    setAway(!near);
    if (follows.current && ours.current < 0) return; // a reloaded page: Firefox restores where it was
    if (Math.abs(it.scrollTop - ours.current) < 2) return;
    follows.current = near;
    whole.current = near;
  }, []);
  const begin = useCallback((toEnd: boolean) => {
    follows.current = true;
    whole.current = toEnd;
    makeRoom();
    keepUp();
  }, [keepUp, makeRoom]);
  const follow = useCallback(() => {
    asked.current = true;
    begin(false);
  }, [begin]);
  const toEnd = useCallback(() => begin(true), [begin]);

  // Observed from the first frame on, which shows the latest question.
  useLayoutEffect(() => {
    follows.current = !location.hash.startsWith('#m-');
    whole.current = false;
    asked.current = false;
    ours.current = -1;
    makeRoom();
    if (!inner.current || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => {
      settle();
      const it = box.current!;
      setAway(it.scrollHeight - it.scrollTop - it.clientHeight >= NEAR);
    });
    observer.observe(inner.current);
    if (box.current) observer.observe(box.current); // a box that grows may be scrolled back by the browser
    return () => observer.disconnect();
  }, [key, makeRoom, settle]);

  return { box, inner, room, onScroll, away, follow, toEnd, settle };
}
