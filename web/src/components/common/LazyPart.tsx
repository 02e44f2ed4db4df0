import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { Suspense, type ReactNode } from 'react';
import { ErrorBoundary } from './ErrorBoundary';
import { PartFailed, ReloadButton, usePartFailure } from './PartFailed';

interface FailedDialogProps {
  error: unknown;
  onClose: () => void;
}

function FailedDialog({ error, onClose }: FailedDialogProps) {
  const { title, text } = usePartFailure(error);
  return (
    <Dialog open onClose={onClose} aria-labelledby="part-failed-title" aria-describedby="part-failed-text">
      <DialogTitle id="part-failed-title">{title}</DialogTitle>
      <DialogContent><Typography id="part-failed-text" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>{text}</Typography></DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>Close</Button>
        <ReloadButton />
      </DialogActions>
    </Dialog>
  );
}

interface LazyPartProps {
  /** In its place while it is loaded. */
  fallback?: ReactNode;
  /** A change of it tries again: another view of the same place. */
  at?: string;
  /** Of a dialog: a failure is a dialog, too. */
  onClose?: () => void;
  children: ReactNode;
}

/** Around a component that is loaded on demand. If that fails, it says so and offers to reload the page. */
export function LazyPart({ fallback = null, at, onClose, children }: LazyPartProps) {
  return (
    <ErrorBoundary at={at} instead={(error) => (onClose ? <FailedDialog error={error} onClose={onClose} /> : <PartFailed error={error} />)}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
