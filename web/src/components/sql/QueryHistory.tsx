import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import type { SqlHistoryItem } from '../../api/sql';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { useSqlHistory } from '../../hooks/useSqlQueries';
import { ConfirmDialog } from '../common/ConfirmDialog';
import { ErrorCard } from '../common/ErrorCard';

const PANEL = 'query-history';

function about({ outcome, rowCount, elapsedMs, at }: SqlHistoryItem): string {
  const time = new Date(at).toLocaleString();
  if (outcome === 'complete') return `${time} · ${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'} in ${elapsedMs.toLocaleString('en-US')} ms`;
  return `${time} · ${outcome}`;
}

interface QueryHistoryProps {
  ontologyId: string;
  onOpen: (sql: string) => void;
}

/** The user's latest queries over an ontology; the server keeps a hundred. */
export function QueryHistory({ ontologyId, onOpen }: QueryHistoryProps) {
  const { history, error, refetch, clear, remove } = useSqlHistory(ontologyId);
  const [clearing, setClearing] = useState(false);
  const keep = useKeyboardKept(history);
  const { enqueueSnackbar } = useSnackbar();
  const onError = (problem: unknown) => void enqueueSnackbar(messageOf(problem), { variant: 'error' });
  if (error) return <ErrorCard title="The history could not be read" error={error} onRetry={() => void refetch()} />;
  if (history?.length === 0) return <Typography id={PANEL} variant="body2" color="textSecondary">No queries yet. Only you see your history.</Typography>;
  return (
    <Box id={PANEL} tabIndex={-1}>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 420, overflow: 'auto' }} tabIndex={0} aria-label="Latest queries">
        {history?.map((item) => (
          <Box key={item.id} component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1, borderBottom: 1, borderColor: 'divider' }}>
            <Button color="inherit" onClick={() => onOpen(item.sql)} sx={{ flex: 1, minWidth: 0, display: 'block', textAlign: 'left' }}>
              <Typography variant="body2" component="span" noWrap sx={{ display: 'block', fontFamily: 'monospace' }}>{item.sql}</Typography>
              <Typography variant="caption" component="span" color={item.outcome === 'complete' || item.outcome === 'cancelled' ? 'textSecondary' : 'error'}>{about(item)}</Typography>
            </Button>
            <IconButton size="small" aria-label="Delete this query from the history" onClick={() => { keep(PANEL); remove.mutate(item.id, { onError }); }}>
              <Delete fontSize="small" />
            </IconButton>
          </Box>
        ))}
      </Box>
      {history && <Button size="small" color="error" sx={{ mt: 1 }} onClick={() => setClearing(true)}>Delete the history</Button>}
      {clearing && (
        <ConfirmDialog title="Delete the history?" text="Your latest queries over this data are deleted. Saved queries stay." act="Delete"
          onClose={() => setClearing(false)} onConfirm={() => { keep(PANEL); clear.mutate(undefined, { onError }); }} />
      )}
    </Box>
  );
}
