import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { ConnectionTest, NewConnection } from '../../api/types';
import { ErrorCard } from '../common/ErrorCard';
import { TestResult } from './TestResult';

interface ConnectDialogProps {
  onClose: () => void;
  onTest: (connection: NewConnection) => Promise<ConnectionTest>;
  onCreate: (connection: NewConnection) => Promise<void>;
}

const FIELDS = [
  ['name', 'Name', 'text'],
  ['host', 'Host', 'text'],
  ['port', 'Port', 'number'],
  ['databaseName', 'Database', 'text'],
  ['username', 'User', 'text'],
  ['password', 'Password', 'password'],
] as const;

type Values = Record<(typeof FIELDS)[number][0], string>;

const EMPTY: Values = { name: '', host: '', port: '5432', databaseName: '', username: '', password: '' };

/** A database to ask about, tried before it is kept. */
export function ConnectDialog({ onClose, onTest, onCreate }: ConnectDialogProps) {
  const [values, setValues] = useState(EMPTY);
  const [useSsl, setUseSsl] = useState(true);
  const [result, setResult] = useState<ConnectionTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ready = FIELDS.every(([key]) => key === 'password' || values[key].trim() !== '');
  const body = (): NewConnection => ({
    ...values, port: Number(values.port), password: values.password || null, useSsl, dbType: 'postgresql',
  });
  const attempt = (act: Promise<unknown>) => {
    setError(null);
    setResult(null);
    act.catch(setError);
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="connect-title">
      <DialogTitle id="connect-title">Connect a PostgreSQL database</DialogTitle>
      <form onSubmit={(e) => { e.preventDefault(); attempt(onCreate(body()).then(onClose)); }}>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            {FIELDS.map(([key, label, type]) => (
              <TextField key={key} size="small" label={label} type={type} value={values[key]} required={key !== 'password'}
                autoComplete={type === 'password' ? 'new-password' : 'off'} autoFocus={key === 'name'}
                helperText={key === 'username' ? 'A role that may only read' : undefined}
                onChange={(e) => setValues({ ...values, [key]: e.target.value })} />
            ))}
            <FormControlLabel control={<Switch checked={useSsl} onChange={(e) => setUseSsl(e.target.checked)} />} label="Encrypted (TLS)" />
            {result && <TestResult result={result} />}
            {Boolean(error) && <ErrorCard title="That did not work" error={error} />}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button disabled={!ready} onClick={() => attempt(onTest(body()).then(setResult))}>Test</Button>
          <Button type="submit" variant="contained" disabled={!ready}>Connect</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
