import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import type { Preference } from '../../api/types';
import { useDataAgentPreferences } from '../../hooks/useDataAgentPreferences';
import { useKeyboardBack, useKeyboardKept } from '../../hooks/useKeyboardStays';
import { ErrorCard } from '../common/ErrorCard';

interface RowProps {
  preference: Preference;
  onChange: (value: string) => void;
  onRemove: () => void;
}

function Value({ preference, onChange }: Omit<RowProps, 'onRemove'>) {
  const [text, setText] = useState<string | null>(null);
  const id = `value-${preference.id}`;
  const left = useKeyboardBack(text !== null, id);
  if (text === null)
    return (
      <ButtonBase id={id} onClick={() => setText(preference.value)} aria-label={`${preference.value}: edit ${preference.key}`}
        sx={{ px: 0.5, borderRadius: 0.5, textAlign: 'left', overflowWrap: 'anywhere' }}>
        {preference.value}
      </ButtonBase>
    );
  const save = (byKey: boolean) => {
    left.current = byKey;
    if (text.trim() && text.trim() !== preference.value) onChange(text.trim());
    setText(null);
  };
  return (
    <TextField size="small" variant="standard" fullWidth autoFocus value={text} onChange={(e) => setText(e.target.value)} onBlur={() => save(false)}
      onKeyDown={(e) => {
        if (e.key === 'Enter') save(true);
        if (e.key === 'Escape') {
          e.stopPropagation();
          left.current = true;
          setText(null);
        }
      }}
      slotProps={{ htmlInput: { 'aria-label': preference.key, maxLength: 2000 } }} />
  );
}

const KEY = 'preference-key';
const deleteId = (id: string) => `delete-${id}`;

function Row({ preference, onChange, onRemove }: RowProps) {
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1, py: 0.5 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="caption" color="textSecondary" component="p">{preference.key}</Typography>
        <Value preference={preference} onChange={onChange} />
      </Box>
      <Chip size="small" variant="outlined" label={preference.source === 'manual' ? 'manual' : 'auto'} />
      <IconButton id={deleteId(preference.id)} size="small" aria-label={`Delete ${preference.key}`} onClick={onRemove}><Delete fontSize="small" /></IconButton>
    </Box>
  );
}

function AddForm({ onAdd }: { onAdd: (key: string, value: string) => Promise<void> }) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const ready = key.trim() !== '' && value.trim() !== '';
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    await onAdd(key.trim(), value.trim());
    setKey('');
    setValue('');
    document.getElementById(KEY)?.focus();
  };
  return (
    <Stack component="form" direction={{ xs: 'column', sm: 'row' }} spacing={1} onSubmit={(e: React.FormEvent) => void submit(e)} sx={{ mt: 2 }}>
      <TextField id={KEY} size="small" label="Key" value={key} onChange={(e) => setKey(e.target.value)} slotProps={{ htmlInput: { maxLength: 255 } }} />
      <TextField size="small" label="Value" fullWidth value={value} onChange={(e) => setValue(e.target.value)} slotProps={{ htmlInput: { maxLength: 2000 } }} />
      <Button type="submit" variant="outlined" disabled={!ready}>Save</Button>
    </Stack>
  );
}

/** The preferences of one scope, with edit, delete and add. */
export function PreferenceList({ ontologyId }: { ontologyId: string | null }) {
  const { preferences, isLoading, error, refetch, save, change, remove } = useDataAgentPreferences(ontologyId);
  const { enqueueSnackbar } = useSnackbar();
  const keep = useKeyboardKept(preferences);
  const removeOne = (i: number) => {
    const neighbour = preferences[i + 1] ?? preferences[i - 1];
    keep(neighbour ? deleteId(neighbour.id) : KEY);
    void attempt(remove(preferences[i]!.id));
  };
  const attempt = (act: Promise<void>) =>
    act.catch((error: unknown) => {
      enqueueSnackbar(messageOf(error), { variant: 'error' });
    });
  return (
    <Box sx={{ pt: 1 }}>
      {error && preferences.length === 0 && <ErrorCard title="The preferences could not be read" error={error} onRetry={() => void refetch()} />}
      {!isLoading && !error && preferences.length === 0 && (
        <Typography variant="body2" color="textSecondary">No preferences yet.</Typography>
      )}
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {preferences.map((p, i) => (
          <Row key={p.id} preference={p} onChange={(value) => void attempt(change(p.id, value))} onRemove={() => removeOne(i)} />
        ))}
      </Box>
      <AddForm onAdd={(key, value) => attempt(save(key, value))} />
    </Box>
  );
}
