import { useCallback, useEffect, useMemo, useState } from 'react';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useSearchParams } from 'react-router';
import { BESIDE } from '../theme/theme';
import { useShortcuts } from './useShortcuts';

/** Whether the insights panel is open: set by the URL (?panel=insights), and when an answer begins on a wide screen. */
export function useInsightsOpen(streaming: boolean) {
  const [params, setParams] = useSearchParams();
  const wide = useMediaQuery(BESIDE);
  const shown = params.get('panel') !== null;
  const [opening, setOpening] = useState(false);
  const open = shown || opening;
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
  const close = useCallback(() => {
    setOpening(false);
    set(false);
  }, [set]);
  useEffect(() => {
    if (streaming && !was && wide) setOpening(true); // right after the question
    setWas(streaming);
    // Only the beginning of an answer opens it, so that a user can close it during the answer.
  }, [streaming, wide, was]);
  useEffect(() => {
    if (!opening) return;
    if (shown) setOpening(false);
    else set(true);
  }, [opening, shown, set]);
  const toggle = () => (open ? close() : set(true));
  const keys = useMemo(() => ({ 'Ctrl+I': toggle }), [open]);
  useShortcuts(keys);
  return { open, toggle, close };
}
