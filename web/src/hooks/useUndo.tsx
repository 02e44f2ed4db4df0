import Button from '@mui/material/Button';
import { useSnackbar, type SnackbarKey } from 'notistack';
import { useEffect, useMemo, useState } from 'react';
import { messageOf } from '../api/errors';
import { useShortcuts } from './useShortcuts';

const UNDO_MS = 8000;

interface UndoProps {
  onUndo: () => void;
  onOver: () => void;
}

/** Shown for some seconds, and as long as the focus or the mouse is on it. */
function Undo({ onUndo, onOver }: UndoProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(onOver, UNDO_MS);
    return () => clearTimeout(timer);
    // The time starts when the focus or the mouse leaves.
  }, [held]);
  const [hold, release] = [() => setHeld(true), () => setHeld(false)];
  return (
    <Button color="inherit" onClick={onUndo} onFocus={hold} onBlur={release} onMouseEnter={hold} onMouseLeave={release}>
      Undo
    </Button>
  );
}

/** Says that something was deleted (or what else was done), and offers Undo for some seconds (also Ctrl+Z). Refusals are shown. */
export function useUndo() {
  const { enqueueSnackbar, closeSnackbar } = useSnackbar();
  const [last, setLast] = useState<{ key: SnackbarKey; undo: () => void } | null>(null);
  useShortcuts(useMemo(() => ({ 'Ctrl+Z': last?.undo }), [last]));
  const complain = (error: unknown) => void enqueueSnackbar(messageOf(error), { variant: 'error' });
  const offer = (name: string, restore: () => Promise<unknown>, what = 'deleted') => {
    const over = (key: SnackbarKey) => {
      closeSnackbar(key);
      setLast((now) => (now?.key === key ? null : now));
    };
    const undo = (key: SnackbarKey) => {
      over(key);
      restore().catch(complain);
    };
    const action = (key: SnackbarKey) => <Undo onUndo={() => undo(key)} onOver={() => over(key)} />;
    const key = enqueueSnackbar(`"${name}" ${what}`, { persist: true, action });
    setLast({ key, undo: () => undo(key) });
  };
  return { offer, complain };
}
