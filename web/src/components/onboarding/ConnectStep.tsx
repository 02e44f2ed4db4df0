import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ConnectionTest } from '../../api/types';
import { useConnectionDraft } from '../../hooks/useConnectionDraft';
import { useConnections } from '../../hooks/useConnections';
import { ErrorCard } from '../common/ErrorCard';
import { UploadButtons } from '../files/UploadButtons';
import { useUploads } from '../files/FileDrop';
import { ConnectionFields } from '../data/ConnectionFields';
import { TestResult } from '../data/TestResult';

/** The existing connections. */
function Known({ onChoose }: { onChoose: (id: string) => void }) {
  const { connections } = useConnections();
  if (connections.length === 0) return null;
  return (
    <Paper variant="outlined" sx={{ p: 2 }}>
      <Typography variant="subtitle1" component="h2" gutterBottom>Connected already</Typography>
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        {connections.map((c) => (
          <Button key={c.id} variant="outlined" onClick={() => onChoose(c.id)}>{c.name}</Button>
        ))}
      </Stack>
    </Paper>
  );
}

/** Files need no database. */
function Files() {
  if (!useUploads()) return null;
  return (
    <Paper variant="outlined" sx={{ p: 2 }}>
      <Typography variant="subtitle1" component="h2" gutterBottom>Files instead of a database</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        Drop CSV, TSV, Parquet, JSON lines or Excel files anywhere on the page, or choose them.
      </Typography>
      <UploadButtons samples />
    </Paper>
  );
}

/** A new connection, tested before it is saved, or an existing one. */
export function ConnectStep({ onConnected }: { onConnected: (connectionId: string) => void }) {
  const { create, attempt } = useConnections();
  const draft = useConnectionDraft();
  const [result, setResult] = useState<ConnectionTest | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const act = (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    setResult(null);
    work().catch(setError).finally(() => setBusy(false));
  };
  const test = async () => setResult(await attempt(draft.body()));
  const connect = async () => {
    const tried = await attempt(draft.body());
    setResult(tried);
    if (tried.success) onConnected((await create(draft.body())).id);
  };
  return (
    <Stack spacing={2}>
      <Known onChoose={onConnected} />
      <Paper variant="outlined" sx={{ p: 2 }}>
        <Typography variant="subtitle1" component="h2" gutterBottom>A database</Typography>
        <Stack component="form" spacing={2} sx={{ pt: 1 }} onSubmit={(e: React.FormEvent) => { e.preventDefault(); act(connect); }}>
          <ConnectionFields draft={draft} />
          {busy && <Typography variant="body2" color="textSecondary" role="status">Testing the connection…</Typography>}
          {result && <TestResult result={result} />}
          {Boolean(error) && <ErrorCard title="The action failed" error={error} />}
          <Stack direction="row" spacing={1}>
            <Button type="submit" variant="contained" disabled={!draft.ready}>Connect</Button>
            <Button disabled={!draft.ready} onClick={() => act(test)}>Test</Button>
          </Stack>
        </Stack>
      </Paper>
      <Files />
    </Stack>
  );
}
