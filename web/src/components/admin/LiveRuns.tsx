import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSnackbar } from 'notistack';
import { http, unwrap } from '../../api/client';
import { messageOf } from '../../api/errors';
import { keys } from '../../api/keys';
import type { LiveRun } from '../../api/types';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { historyOf, workOf } from '../../utils/liveRuns';
import { ErrorCard } from '../common/ErrorCard';

const REFRESH_MS = 2000;
const LIST = 'live-runs';

function Run({ run, onCancel }: { run: LiveRun; onCancel: () => void }) {
  return (
    <Box component="li" sx={{ display: 'flex', gap: 2, alignItems: 'center', p: 1.5, '& + li': { borderTop: 1, borderColor: 'divider' } }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle2" component="p" sx={{ overflowWrap: 'anywhere' }}>{run.userEmail}</Typography>
        <Typography variant="body2">{workOf(run)}</Typography>
        <Typography variant="caption" component="p" color="textSecondary">{historyOf(run)}</Typography>
      </Box>
      <Button size="small" color="error" disabled={run.cancelRequested} onClick={onCancel} aria-label={`Stop the answer of ${run.userEmail}`}>Stop</Button>
    </Box>
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
    keep(LIST); // the button disappears with the run
    return unwrap(http.POST('/api/admin/runs/{id}/cancel', { params: { path: { id } } }))
      .catch((error: unknown) => enqueueSnackbar(messageOf(error), { variant: 'error' }))
      .finally(() => cache.invalidateQueries({ queryKey: keys.runs }));
  };
  if (runs.error) return <ErrorCard title="The answers in progress could not be read" error={runs.error} onRetry={() => void runs.refetch()} />;
  const items = runs.data?.items ?? [];
  return (
    <Paper variant="outlined" id={LIST} tabIndex={0} role="region" aria-label="Live runs">
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {items.map((run) => <Run key={run.messageId} run={run} onCancel={() => void cancel(run.messageId)} />)}
      </Box>
      {runs.data && items.length === 0 && <Typography variant="body2" color="textSecondary" sx={{ p: 2 }}>No answer is being written now.</Typography>}
    </Paper>
  );
}
