import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { useDataChat } from './useDataChat';

type Known = Pick<ReturnType<typeof useDataChat>, 'path' | 'messages' | 'hasEarlier' | 'reveal'>;

/** Scrolls to the message in the URL, /agent/<chat>#m-<message>, on any branch and page of the chat. */
export function useMessageLink({ path, messages, hasEarlier, reveal }: Known, loadEarlier: () => void): void {
  const { hash } = useLocation();
  const shown = useRef('');
  const wanted = hash.startsWith('#m-') ? hash.slice(3) : '';
  const onPath = path.some(({ message }) => message.id === wanted);
  const known = onPath || messages.some((message) => message.id === wanted);
  useLayoutEffect(() => {
    if (!wanted || shown.current === wanted || messages.length === 0) return;
    if (onPath) {
      shown.current = wanted;
      document.getElementById(`m-${wanted}`)?.scrollIntoView();
    } else if (known) {
      reveal(wanted);
    } else if (hasEarlier) {
      loadEarlier();
    }
  }, [hasEarlier, known, loadEarlier, messages, onPath, reveal, wanted]);
}
