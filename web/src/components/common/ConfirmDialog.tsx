import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';

interface ConfirmDialogProps {
  title: string;
  /** What the action deletes. */
  text: string;
  /** The label of the confirm button. */
  act: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({ title, text, act, onClose, onConfirm }: ConfirmDialogProps) {
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby="confirm-title" aria-describedby="confirm-text">
      <DialogTitle id="confirm-title">{title}</DialogTitle>
      <DialogContent><DialogContentText id="confirm-text">{text}</DialogContentText></DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>Cancel</Button>
        <Button color="error" onClick={confirm}>{act}</Button>
      </DialogActions>
    </Dialog>
  );
}
