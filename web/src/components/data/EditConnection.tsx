import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../api/errors';
import type { Connection, ConnectionChange } from '../../api/types';
import { TimeZone } from './ConnectionFields';

type ShareRows = NonNullable<Connection['options']['shareRows']>;

const SHARES: [ShareRows, string][] = [
  ['all', 'All rows'], ['aggregates', 'Only totals and groups'], ['none', 'No rows'],
];

interface EditConnectionProps {
  connection: Connection;
  onSave: (change: ConnectionChange) => Promise<unknown>;
  onClose: () => void;
}

/** Changes what a connection is called and how its data are read. The server checks the time zone. */
export function EditConnection({ connection, onSave, onClose }: EditConnectionProps) {
  const { options = {} } = connection;
  const [name, setName] = useState(connection.name);
  const [timeZone, setTimeZone] = useState(options.timeZone ?? '');
  const [shareRows, setShareRows] = useState<ShareRows>(options.shareRows ?? 'all');
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim() || saving) return;
    setSaving(true);
    setError(null);
    onSave({ name: name.trim(), options: { timeZone: timeZone.trim() || null, shareRows } })
      .then(onClose, (refusal: unknown) => {
        setError(refusal);
        setSaving(false);
      });
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="edit-connection">
      <form onSubmit={save} noValidate>
        <DialogTitle id="edit-connection">Edit {connection.name}</DialogTitle>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {connection.databaseName} at {connection.host}:{connection.port}, as {connection.username}
            </Typography>
            <TextField size="small" required autoFocus label="Name" value={name} error={!name.trim()} onChange={(e) => setName(e.target.value)} />
            <TimeZone value={timeZone} onChange={setTimeZone} />
            <TextField select size="small" label="Language models see" value={shareRows} onChange={(e) => setShareRows(e.target.value as ShareRows)}>
              {SHARES.map(([value, label]) => <MenuItem key={value} value={value}>{label}</MenuItem>)}
            </TextField>
            {Boolean(error) && <Alert severity="error">{messageOf(error)}</Alert>}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" loading={saving}>Save</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
