import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import type { Dataset } from '../../api/types';
import { AskButton } from './AskButton';
import { DatasetProfile } from './DatasetProfile';

/** The profile of an uploaded dataset. */
export default function DatasetDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="dataset-title">
      <DialogTitle id="dataset-title">{dataset.name}</DialogTitle>
      <DialogContent><DatasetProfile dataset={dataset} /></DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <AskButton dataset={dataset} variant="contained" onAsk={onClose} />
      </DialogActions>
    </Dialog>
  );
}
