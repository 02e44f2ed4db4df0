import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { lazy, useState } from 'react';
import type { Dataset } from '../../api/types';
import { useDatasets } from '../../hooks/useDatasets';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { useMay } from '../../hooks/useSession';
import { useUndo } from '../../hooks/useUndo';
import { formatBytes } from '../../utils/upload';
import { ErrorCard } from '../common/ErrorCard';
import { LazyPart } from '../common/LazyPart';
import { AskButton } from './AskButton';
import { UploadButtons } from './UploadButtons';

const DatasetDialog = lazy(() => import('./DatasetDialog'));

const FILES = 'uploaded-files';
/** Not on a phone, where the actions would be out of sight. */
const WIDE = { display: { xs: 'none', sm: 'table-cell' } };
const COLOURS: Record<Dataset['status'], 'info' | 'success' | 'error'> = { preparing: 'info', ready: 'success', failed: 'error' };

function Status({ dataset: { status, failure } }: { dataset: Dataset }) {
  const chip = <Chip size="small" variant="outlined" color={COLOURS[status]} label={status} />;
  if (!failure) return chip;
  return (
    <>
      <Tooltip title={failure}>{chip}</Tooltip>
      <Typography variant="caption" component="p" color="error" sx={{ overflowWrap: 'anywhere' }}>{failure}</Typography>
    </>
  );
}

interface LineProps {
  dataset: Dataset;
  onOpen: () => void;
  onDelete?: () => void;
}

function Line({ dataset, onOpen, onDelete }: LineProps) {
  const { name, status, bytes, created_at } = dataset;
  return (
    <TableRow>
      <TableCell sx={{ minWidth: { sm: 120 }, overflowWrap: 'anywhere' }}>{name}</TableCell>
      <TableCell><Status dataset={dataset} /></TableCell>
      <TableCell sx={{ ...WIDE, whiteSpace: 'nowrap' }}>{formatBytes(bytes)}</TableCell>
      <TableCell sx={WIDE}>{new Date(created_at).toLocaleDateString()}</TableCell>
      <TableCell>
        <AskButton dataset={dataset} />
        {status === 'ready' && <Button size="small" aria-label={`Open the files of ${name}`} onClick={onOpen}>Open</Button>}
        {onDelete && <Button size="small" color="error" aria-label={`Delete ${name}`} onClick={onDelete}>Delete</Button>}
      </TableCell>
    </TableRow>
  );
}

/** The uploaded datasets: their state, their profile, asking, deleting with undo; and a button to upload more. */
export function Datasets() {
  const { datasets, isLoading, error, refetch, remove, restore } = useDatasets();
  const [shown, setShown] = useState<Dataset | null>(null);
  const mayDelete = useMay('connections:write');
  const { offer, complain } = useUndo();
  const keep = useKeyboardKept(datasets);
  if (error) return <ErrorCard title="The files could not be listed" error={error} onRetry={() => void refetch()} />;
  const onDelete = (dataset: Dataset) => {
    keep(FILES);
    remove(dataset).then(() => offer(dataset.name, () => restore(dataset)), complain);
  };
  return (
    <>
      <TableContainer id={FILES} component={Paper} variant="outlined" tabIndex={0} role="region" aria-label="Files">
        <Table size="small" sx={{ minWidth: { sm: 640 }, '& .MuiTableCell-root': { px: { xs: 1, sm: 2 } } }}>
          <TableHead sx={datasets.length === 0 ? { display: 'none' } : undefined}>
            <TableRow>
              <TableCell>Name</TableCell>
              <TableCell>Status</TableCell>
              <TableCell sx={WIDE}>Size</TableCell>
              <TableCell sx={WIDE}>Uploaded</TableCell>
              <TableCell>Actions</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {datasets.map((dataset) => (
              <Line key={dataset.id} dataset={dataset} onOpen={() => setShown(dataset)}
                onDelete={mayDelete ? () => onDelete(dataset) : undefined} />
            ))}
          </TableBody>
        </Table>
        {!isLoading && datasets.length === 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ p: 2 }}>
            No files yet. Drop CSV, TSV, Parquet, JSON lines or Excel files anywhere on the page.
          </Typography>
        )}
      </TableContainer>
      <UploadButtons samples />
      {shown && <LazyPart onClose={() => setShown(null)}><DatasetDialog dataset={shown} onClose={() => setShown(null)} /></LazyPart>}
    </>
  );
}
