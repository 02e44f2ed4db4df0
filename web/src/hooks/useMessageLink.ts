import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Shown } from '../utils/branches';

/** Scrolls to the message that the address names: /agent/<chat>#m-<message>. */
export function useMessageLink(path: Shown[]): void {
  const { hash } = useLocation();
  const shown = useRef('');
  const wanted = hash.startsWith('#m-') ? hash.slice(1) : '';
  const known = path.some(({ message }) => `m-${message.id}` === wanted);
  useEffect(() => {
    if (!known || shown.current === wanted) return;
    shown.current = wanted;
    document.getElementById(wanted)?.scrollIntoView();
  }, [known, wanted]);
}
