import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import type { SavedQuery } from '../../api/sql';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import type { useSqlQueries } from '../../hooks/useSqlQueries';
import { ConfirmDialog } from '../common/ConfirmDialog';
import { ErrorCard } from '../common/ErrorCard';
import { SaveDialog } from './SaveDialog';

const PANEL = 'saved-queries';

interface RowProps {
  query: SavedQuery;
  onOpen: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function Row({ query, onOpen, onEdit, onDelete }: RowProps) {
  return (
    <Box component="li" sx={{ py: 0.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button size="small" onClick={onOpen} aria-label={`Open ${query.name}`} sx={{ minWidth: 0, flexShrink: 1, textAlign: 'left', overflowWrap: 'anywhere' }}>{query.name}</Button>
        {query.state === 'stale' && <Chip size="small" color="warning" variant="outlined" label="Stale" />}
        {query.shared && <Chip size="small" variant="outlined" label={query.mine ? 'Shared' : `By ${query.by}`} sx={{ maxWidth: '100%' }} />}
        {query.mine && (
          <Box sx={{ ml: 'auto' }}>
            <IconButton size="small" aria-label={`Edit ${query.name}`} onClick={onEdit}><Edit fontSize="small" /></IconButton>
            <IconButton size="small" aria-label={`Delete ${query.name}`} onClick={onDelete}><Delete fontSize="small" /></IconButton>
          </Box>
        )}
      </Box>
      <Typography variant="caption" component="p" color="textSecondary" noWrap sx={{ fontFamily: 'monospace' }}>{query.sql}</Typography>
      {query.problem && <Typography variant="caption" component="p" color="warning" sx={{ overflowWrap: 'anywhere' }}>{query.problem}</Typography>}
    </Box>
  );
}

interface SavedQueriesProps {
  saved: ReturnType<typeof useSqlQueries>;
  onOpen: (query: SavedQuery) => void;
}

/** The user's saved queries, and those that others share. */
export function SavedQueries({ saved, onOpen }: SavedQueriesProps) {
  const { queries, error, refetch, change, remove } = saved;
  const [edited, setEdited] = useState<SavedQuery | null>(null);
  const [deleted, setDeleted] = useState<SavedQuery | null>(null);
  const keep = useKeyboardKept(queries);
  const { enqueueSnackbar } = useSnackbar();
  if (error) return <ErrorCard title="The saved queries could not be read" error={error} onRetry={() => void refetch()} />;
  const confirmed = ({ id }: SavedQuery) => {
    keep(PANEL);
    remove.mutate(id, { onError: (problem) => enqueueSnackbar(messageOf(problem), { variant: 'error' }) });
  };
  return (
    <Box id={PANEL} tabIndex={-1}>
      {queries?.length === 0 && <Typography variant="body2" color="textSecondary">No saved queries. “Save” below the editor keeps a query.</Typography>}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {queries?.map((query) => (
          <Row key={query.id} query={query} onOpen={() => onOpen(query)} onEdit={() => { change.reset(); setEdited(query); }} onDelete={() => setDeleted(query)} />
        ))}
      </Box>
      {edited && (
        <SaveDialog name={edited.name} shared={edited.shared} error={change.error} saving={change.isPending} onClose={() => setEdited(null)}
          onSave={(name, shared) => change.mutate({ id: edited.id, name, shared }, { onSuccess: () => setEdited(null) })} />
      )}
      {deleted && (
        <ConfirmDialog title="Delete the saved query?" text={`“${deleted.name}” is deleted${deleted.shared ? ', also for those with whom you share it' : ''}.`}
          act="Delete" onClose={() => setDeleted(null)} onConfirm={() => confirmed(deleted)} />
      )}
    </Box>
  );
}
