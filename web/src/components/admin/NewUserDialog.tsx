import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { ROLES, type NewUser } from '../../hooks/useUsers';
import { ErrorCard } from '../common/ErrorCard';

interface NewUserDialogProps {
  onClose: () => void;
  onCreate: (user: NewUser) => Promise<void>;
}

export function NewUserDialog({ onClose, onCreate }: NewUserDialogProps) {
  const [email, setEmail] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<string>('contributor');
  const [error, setError] = useState<unknown>(null);
  const create = () => {
    setError(null);
    const name = displayName.trim() || null;
    onCreate({ email: email.trim(), displayName: name, password: password || null, roles: [role] }).then(onClose, setError);
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="new-user-title">
      <DialogTitle id="new-user-title">New user</DialogTitle>
      <form onSubmit={(e) => { e.preventDefault(); create(); }}>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            <TextField size="small" required type="email" label="Email" autoFocus value={email} onChange={(e) => setEmail(e.target.value)} />
            <TextField size="small" label="Name" value={displayName} onChange={(e) => setDisplayName(e.target.value)} />
            <TextField size="small" type="password" label="Password" autoComplete="new-password" value={password}
              helperText="At least 8 characters; leave it empty for users of an identity provider" onChange={(e) => setPassword(e.target.value)} />
            <TextField size="small" select label="Role" value={role} onChange={(e) => setRole(e.target.value)}>
              {ROLES.map((name) => <MenuItem key={name} value={name}>{name}</MenuItem>)}
            </TextField>
            {Boolean(error) && <ErrorCard title="The user was not created" error={error} />}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" disabled={!email.trim()}>Create</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
