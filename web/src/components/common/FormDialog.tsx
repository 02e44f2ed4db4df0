import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { reasonOf } from '../../api/errors';

interface FormDialogProps {
  title: string;
  /** The label of the button that saves. */
  act?: string;
  onClose: () => void;
  onSave: () => Promise<unknown>;
  children: ReactNode;
}

/** A form in a dialog. It stays open, with the reason, when the server refuses it. It is sent once at a time. */
export function FormDialog({ title, act = 'Save', onClose, onSave, children }: FormDialogProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const sending = useRef(false);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (sending.current) return;
    sending.current = true;
    setRefusal(null);
    onSave().then(onClose, (error: unknown) => setRefusal(reasonOf(error))).finally(() => { sending.current = false; });
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="form-dialog-title">
      <form onSubmit={save}>
        <DialogTitle id="form-dialog-title">{title}</DialogTitle>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            {refusal && <Alert severity="error">{refusal}</Alert>}
            {children}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained">{act}</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
