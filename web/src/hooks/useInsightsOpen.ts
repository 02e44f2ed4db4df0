import { useCallback, useEffect, useMemo, useState } from 'react';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useSearchParams } from 'react-router';
import { useShortcuts } from './useShortcuts';

/** Whether the insights panel is open: set by the URL (?panel=insights), and when an answer begins on a wide screen. */
export function useInsightsOpen(streaming: boolean) {
  const [params, setParams] = useSearchParams();
  const wide = useMediaQuery('(min-width:1200px)');
  const open = params.get('panel') !== null;
  const [was, setWas] = useState(false);

  const set = useCallback((next: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (next) after.set('panel', 'insights');
        else ['panel', 'trace'].forEach((name) => after.delete(name));
        return after;
      },
      { replace: true },
    ), [setParams]);
  const close = useCallback(() => set(false), [set]);
  useEffect(() => {
    if (streaming && !was && wide) set(true);
    setWas(streaming);
    // Only the beginning of an answer opens it, so that a user can close it during the answer.
  }, [streaming, wide, was]);
  const toggle = () => set(!open);
  const keys = useMemo(() => ({ 'Ctrl+I': () => set(!open) }), [open]);
  useShortcuts(keys);
  return { open, toggle, close };
}
