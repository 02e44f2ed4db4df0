import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { Shown } from '../utils/branches';

/** Where the eyes are, as a part of the height of the conversation. */
const EYES = 0.4;
const NEAR = 80;

/** The message that is drawn at this height; null: none. */
function messageAt(box: HTMLElement): string | null {
  const { left, top, width, height } = box.getBoundingClientRect();
  const element = document.elementFromPoint?.(left + width / 2, top + height * EYES);
  return element?.closest('[id^="m-"]')?.id.slice(2) ?? null;
}

/**
 * The answer that is being read: the one at the reader's eyes, or the latest one at the end of the
 * conversation. Null: the latest. `onScroll` has to be called when the conversation scrolls.
 */
export function useReadMessage(box: RefObject<HTMLElement | null>, path: Shown[]) {
  const [read, setRead] = useState<string | null>(null);
  const scheduled = useRef(0);
  const known = useRef(path);
  known.current = path;
  const look = useCallback(() => {
    scheduled.current = 0;
    const it = box.current;
    if (!it) return;
    const all = known.current;
    const atEnd = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR;
    const id = atEnd ? null : messageAt(it);
    const at = id === null ? -1 : all.findIndex(({ message }) => message.id === id);
    if (!atEnd && at < 0) return; // between two messages
    const answer = all[at + (all[at]?.message.role === 'user' ? 1 : 0)]?.message;
    const latest = !answer || answer.id === all.at(-1)?.message.id;
    setRead(latest ? null : answer.id);
  }, [box]);
  const onScroll = useCallback(() => {
    scheduled.current ||= requestAnimationFrame(look);
  }, [look]);
  useEffect(() => () => cancelAnimationFrame(scheduled.current), []);
  // A new question is read at once.
  const count = path.length;
  useEffect(() => setRead(null), [count]);
  return { read, onScroll };
}
