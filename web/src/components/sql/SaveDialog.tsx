import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { messageOf } from '../../api/errors';

interface SaveDialogProps {
  /** Of the query that is changed; empty: a new one. */
  name: string;
  shared: boolean;
  error: unknown;
  saving: boolean;
  onSave: (name: string, shared: boolean) => void;
  onClose: () => void;
}

/** The name of a saved query, and who sees it. */
export function SaveDialog({ name: before, shared: wasShared, error, saving, onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState(before);
  const [shared, setShared] = useState(wasShared);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="save-query">
      <form onSubmit={(event) => { event.preventDefault(); if (name.trim() && !saving) onSave(name.trim(), shared); }}>
        <DialogTitle id="save-query">{before ? 'Edit the saved query' : 'Save the query'}</DialogTitle>
        <DialogContent>
          <TextField autoFocus required fullWidth margin="dense" label="Name" value={name} onChange={(e) => setName(e.target.value)}
            error={Boolean(error)} helperText={error ? messageOf(error) : undefined} slotProps={{ htmlInput: { maxLength: 120 } }} />
          <FormControlLabel label="Share it with everyone who may use this data"
            control={<Checkbox checked={shared} onChange={(_e, checked) => setShared(checked)} />} />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" loading={saving}>Save</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
