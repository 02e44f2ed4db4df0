import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { http, unwrap } from '../api/client';
import { messageOf } from '../api/errors';
import { login } from '../api/session';

function OtherWays() {
  const ways = useQuery({
    queryKey: ['sign-in'],
    queryFn: () => unwrap(http.GET('/api/auth/providers')),
  });
  return (ways.data?.providers ?? []).map((way) => (
    <Link key={way.name} href={way.authUrl} rel="noopener">Sign in with {way.name}</Link>
  ));
}

/** The sign-in page. */
export function LoginPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      await login(email.trim(), password);
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Box component="main" sx={{ display: 'grid', placeItems: 'center', minHeight: '100%', p: 2 }}>
      <Paper variant="outlined" sx={{ p: 4, width: '100%', maxWidth: 400 }}>
        <Stack component="form" spacing={2} onSubmit={(e: React.FormEvent) => { e.preventDefault(); void submit(); }}>
          <Typography variant="h4" component="h1" color="primary">Sextant</Typography>
          <Typography color="textSecondary">Ask your data a question.</Typography>
          {refusal && <Alert severity="error">{refusal}</Alert>}
          <TextField label="Email" type="email" autoComplete="username" required autoFocus value={email} onChange={(e) => setEmail(e.target.value)} />
          <TextField label="Password" type="password" autoComplete="current-password" required value={password} onChange={(e) => setPassword(e.target.value)} />
          <Button type="submit" variant="contained" size="large">Sign in</Button>
          <OtherWays />
        </Stack>
      </Paper>
    </Box>
  );
}
