import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { ErrorCard } from '../common/ErrorCard';

export interface BuildWishes {
  name: string;
  instructions?: string;
}

interface BuildFormProps {
  /** The proposed name of the model. */
  suggested: string;
  ready: boolean;
  onBuild: (wishes: BuildWishes) => Promise<void>;
}

/** The name of the model, and instructions for its users. */
export function BuildForm({ suggested, ready, onBuild }: BuildFormProps) {
  const [name, setName] = useState(suggested);
  const [instructions, setInstructions] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    const words = instructions.trim();
    onBuild({ name: name.trim(), ...(words ? { instructions: words } : {}) })
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <Paper variant="outlined" sx={{ p: 2 }}>
      <Stack component="form" spacing={2} onSubmit={(e: React.FormEvent) => { e.preventDefault(); submit(); }}>
        <TextField size="small" required label="Name of the model" value={name} onChange={(e) => setName(e.target.value)}
          helperText="This replaces your model of the same name, if there is one" slotProps={{ htmlInput: { maxLength: 255 } }} />
        <TextField size="small" multiline minRows={2} label="What should the agent know about this data? (Optional)" value={instructions}
          onChange={(e) => setInstructions(e.target.value)} slotProps={{ htmlInput: { maxLength: 4000 } }} />
        {Boolean(error) && <ErrorCard title="The model is not being built" error={error} />}
        <Button type="submit" variant="contained" sx={{ alignSelf: 'flex-start' }} disabled={!ready || !name.trim()}>
          Build the model
        </Button>
      </Stack>
    </Paper>
  );
}
