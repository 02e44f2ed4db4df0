import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { FileProblem } from '../../api/types';
import { useUpload } from '../../hooks/useUpload';
import { formatBytes, nameParcel, type Parcel, type UploadState } from '../../utils/upload';
import { ErrorCard } from '../common/ErrorCard';
import { AskButton } from './AskButton';
import { DatasetProfile } from './DatasetProfile';

interface UploadDialogProps {
  parcel: Parcel;
  onClose: () => void;
}

function Progress({ state }: { state: UploadState }) {
  if (state.step === 'sending') {
    const share = state.total > 0 ? Math.min(100, (100 * state.sent) / state.total) : 0;
    return (
      <Box>
        <Typography variant="body2" gutterBottom>
          {formatBytes(state.sent)} of {formatBytes(state.total)}
        </Typography>
        <LinearProgress variant="determinate" value={share} aria-label="Uploaded" />
      </Box>
    );
  }
  return (
    <Box>
      <Typography variant="body2" gutterBottom role="status">
        {state.step === 'reading' && state.dataset ? 'Preparing the tables for questions…' : 'Reading the files…'}
      </Typography>
      <LinearProgress aria-label="Reading the files" />
    </Box>
  );
}

function Problems({ problems }: { problems: FileProblem[] }) {
  return problems.map(({ filename, message }, i) => (
    <Alert key={i} severity="warning" sx={{ mb: 1, overflowWrap: 'anywhere' }}>{filename} was left out: {message}</Alert>
  ));
}

const TITLES: Record<UploadState['step'], string> = {
  sending: 'Uploading', reading: 'Uploaded', ready: 'Ready for questions', failed: 'Not uploaded',
};

function Attempt({ parcel, onClose, onAgain }: UploadDialogProps & { onAgain: () => void }) {
  const { state, cancel } = useUpload(parcel, onClose);
  const under = state.step === 'sending' || (state.step === 'reading' && !state.dataset);
  const closes = (_event: unknown, reason: string) => {
    // A click outside of the dialog must not end an upload.
    if (under && reason === 'backdropClick') return;
    if (under) cancel();
    else onClose();
  };
  return (
    <Dialog open fullWidth maxWidth={state.step === 'ready' ? 'md' : 'sm'} onClose={closes} aria-labelledby="upload-title">
      <DialogTitle id="upload-title">{TITLES[state.step]}: {nameParcel(parcel)}</DialogTitle>
      <DialogContent>
        {state.step === 'ready' && <Problems problems={state.dataset.problems ?? []} />}
        {state.step === 'ready' && <DatasetProfile dataset={state.dataset} />}
        {state.step === 'failed' && <ErrorCard title="The files were not taken" error={state.error} onRetry={onAgain} />}
        {(state.step === 'sending' || state.step === 'reading') && <Progress state={state} />}
        {state.step === 'reading' && state.dataset && (
          <Alert severity="info" sx={{ mt: 2 }}>You can close this window; the files will be in the list on the Data page.</Alert>
        )}
      </DialogContent>
      <DialogActions>
        {under ? <Button onClick={cancel}>Cancel</Button> : <Button onClick={onClose}>Close</Button>}
        {state.step === 'ready' && <AskButton dataset={state.dataset} variant="contained" onAsk={onClose} />}
      </DialogActions>
    </Dialog>
  );
}

/** Uploads the files: progress, what was found in them, and the way to the first question. */
export default function UploadDialog({ parcel, onClose }: UploadDialogProps) {
  const [attempt, setAttempt] = useState(0);
  return <Attempt key={attempt} parcel={parcel} onClose={onClose} onAgain={() => setAttempt((n) => n + 1)} />;
}
