import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSnackbar } from 'notistack';
import { http, unwrap } from '../../api/client';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import type { LiveRun } from '../../api/types';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { phaseName } from '../../utils/phases';
import { ErrorCard } from '../common/ErrorCard';
import { formatDuration } from '../insights/insightsUtils';

const REFRESH_MS = 2000;
const TABLE = 'live-runs';

function stateOf(run: LiveRun): string {
  if (run.cancelRequested) return 'stopping';
  if (run.orphaned) return 'waiting for another process';
  return phaseName(run.phase);
}

function Row({ run, onCancel }: { run: LiveRun; onCancel: () => void }) {
  return (
    <TableRow>
      <TableCell>{run.userEmail}</TableCell>
      <TableCell title={run.trail[0]}>{stateOf(run)}</TableCell>
      <TableCell align="right">{formatDuration(run.ageMs)}</TableCell>
      <TableCell align="right">{run.attempt}</TableCell>
      <TableCell align="right">{run.revision}</TableCell>
      <TableCell align="right">
        <Button size="small" color="error" disabled={run.cancelRequested} onClick={onCancel} aria-label={`Stop the answer of ${run.userEmail}`}>Stop</Button>
      </TableCell>
    </TableRow>
  );
}

/** The answers in progress of all users. */
export function LiveRuns() {
  const cache = useQueryClient();
  const { enqueueSnackbar } = useSnackbar();
  const runs = useQuery({
    queryKey: keys.runs,
    queryFn: () => unwrap(http.GET('/api/admin/runs', { params: { query: { pageSize: 100 } } })),
    refetchInterval: REFRESH_MS,
  });
  const keep = useKeyboardKept(runs.data);
  const cancel = (id: string) => {
    keep(TABLE); // the button disappears with the run
    return unwrap(http.POST('/api/admin/runs/{id}/cancel', { params: { path: { id } } }))
      .catch((error: unknown) => enqueueSnackbar(messageOf(error), { variant: 'error' }))
      .finally(() => cache.invalidateQueries({ queryKey: keys.runs }));
  };
  if (runs.error) return <ErrorCard title="The runs could not be read" error={runs.error} onRetry={() => void runs.refetch()} />;
  const items = runs.data?.items ?? [];
  return (
    <TableContainer component={Paper} variant="outlined" id={TABLE} tabIndex={0} role="region" aria-label="Live runs">
      <Table size="small" sx={{ minWidth: 640 }}>
        <TableHead>
          <TableRow>
            {['User', 'Phase', 'Age', 'Attempt', 'Revision', 'Stop'].map((name, i) => (
              <TableCell key={name} align={i > 1 ? 'right' : 'left'}>{name}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {items.map((run) => <Row key={run.messageId} run={run} onCancel={() => void cancel(run.messageId)} />)}
        </TableBody>
      </Table>
      {items.length === 0 && <Typography variant="body2" color="textSecondary" sx={{ p: 2 }}>No runs in progress.</Typography>}
    </TableContainer>
  );
}
