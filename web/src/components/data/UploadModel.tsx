import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { http, unwrap } from '../../api/client';
import { ApiError } from '../../api/errors';
import { keys } from '../../api/keys';
import type { Ontology } from '../../api/types';
import { useConnections } from '../../hooks/useConnections';
import { ErrorCard } from '../common/ErrorCard';

interface Finding {
  field?: string;
  message: string;
  line?: number;
  column?: number;
  path?: string;
}

function findingsOf(error: unknown): Finding[] {
  return error instanceof ApiError && Array.isArray(error.details) ? (error.details as Finding[]) : [];
}

function Findings({ findings }: { findings: Finding[] }) {
  return (
    <Alert severity="error">
      <ul style={{ margin: 0, paddingLeft: 16 }}>
        {findings.map((f, i) => (
          <li key={i}>
            {f.line ? `Line ${f.line}${f.column ? `, column ${f.column}` : ''}: ` : ''}
            {f.message}{f.path ? ` (${f.path})` : ''}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Stores a model and creates its ontology. */
async function keep(connectionId: string, yaml: string): Promise<Ontology> {
  const model = await unwrap(http.POST('/api/semantic-models', { body: { connectionId, yaml } }));
  const body = { name: model.name, semanticModelId: model.id };
  return unwrap(http.POST('/api/ontologies', { body }));
}

/** Uploads a semantic model (OSI, as YAML or JSON); errors are shown with their lines. */
export function UploadModel() {
  const cache = useQueryClient();
  const { connections } = useConnections();
  const [connection, setConnection] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [made, setMade] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const chosen = connection || (connections[0]?.id ?? '');
  const take = async (files: FileList | null) => {
    const first = files?.[0];
    if (!first) return;
    setError(null);
    setMade(null);
    try {
      setMade((await keep(chosen, await first.text())).name);
    } catch (refusal) {
      setError(refusal);
    } finally {
      if (file.current) file.current.value = '';
      await cache.invalidateQueries({ queryKey: keys.ontologies });
      await cache.invalidateQueries({ queryKey: keys.models });
    }
  };
  const findings = findingsOf(error);
  return (
    <Stack spacing={1.5}>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
        <TextField select size="small" label="Connection" value={chosen} onChange={(e) => setConnection(e.target.value)} sx={{ minWidth: 220 }}>
          {connections.map((c) => <MenuItem key={c.id} value={c.id}>{c.name}</MenuItem>)}
        </TextField>
        <Button variant="outlined" disabled={!chosen} onClick={() => file.current?.click()}>Upload an OSI file</Button>
        <input ref={file} type="file" accept=".yaml,.yml,.json" hidden disabled={!chosen} aria-label="OSI file" onChange={(e) => void take(e.target.files)} />
      </Stack>
      {made && <Alert severity="success">The ontology &quot;{made}&quot; is being made.</Alert>}
      {findings.length > 0 ? <Findings findings={findings} /> : Boolean(error) && <ErrorCard title="The model was not saved" error={error} />}
    </Stack>
  );
}
