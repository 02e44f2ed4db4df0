import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { messageOf } from '../../api/errors';
import type { ModelRun } from '../../api/types';
import { useElapsedTimer } from '../../hooks/useElapsedTimer';
import { useKeyboardHere } from '../../hooks/useKeyboardStays';
import { useModelRun } from '../../hooks/useModelRun';
import { ErrorCard } from '../common/ErrorCard';
import { BuiltModel } from './BuiltModel';
import { StageList } from './StageList';

interface BuildStepProps {
  runId: string;
  /** Returns to the tables of that connection. */
  onAgain: (connectionId: string) => void;
}

function Outcome({ run, onAgain }: { run: ModelRun; onAgain: () => void }) {
  if (run.status === 'complete') return <BuiltModel run={run} />;
  if (run.status === 'failed') {
    const error = new Error(run.error?.message ?? 'The reason is not known');
    return <ErrorCard title="The model was not built; nothing has changed" error={error} code={run.error?.code} onRetry={onAgain} />;
  }
  if (run.status !== 'cancelled') return null;
  return (
    <Alert severity="info" action={<Button color="inherit" size="small" onClick={onAgain}>Again</Button>}>
      Stopped. Nothing has changed.
    </Alert>
  );
}

/** The progress of a build. */
export function BuildStep({ runId, onAgain }: BuildStepProps) {
  const { run, error, refetch, running, connection, cancel } = useModelRun(runId);
  const { enqueueSnackbar } = useSnackbar();
  const elapsed = useElapsedTimer(run ? new Date(run.createdAt).getTime() : null, running);
  const outcome = useKeyboardHere<HTMLDivElement>(run?.status);
  if (error) return <ErrorCard title="The build cannot be followed" error={error} onRetry={() => void refetch()} />;
  if (!run) return <Skeleton variant="rounded" height={240} />;
  const stop = () => cancel().catch((e: unknown) => enqueueSnackbar(messageOf(e), { variant: 'error' }));
  return (
    <Stack spacing={2}>
      <Paper variant="outlined" sx={{ p: 2 }}>
        <Stack direction="row" sx={{ alignItems: 'center', mb: 1.5, gap: 1 }}>
          <Typography variant="subtitle1" component="h2" sx={{ flex: 1 }}>{run.name}</Typography>
          {running && <Typography variant="body2" role="timer" aria-label="Elapsed time">{elapsed}</Typography>}
          {running && <Button size="small" onClick={() => void stop()}>Stop</Button>}
        </Stack>
        {running && connection === 'reconnecting' && (
          <Alert severity="warning" sx={{ mb: 1 }}>The connection was lost; the build goes on at the server. Reconnecting…</Alert>
        )}
        <StageList run={run} />
      </Paper>
      <Box ref={outcome} tabIndex={-1} sx={{ outline: 0 }}>
        <Outcome run={run} onAgain={() => onAgain(run.connectionId)} />
      </Box>
    </Stack>
  );
}
