import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { CONNECTION_FIELDS, type useConnectionDraft } from '../../hooks/useConnectionDraft';

/** The fields of a connection. */
export function ConnectionFields({ draft }: { draft: ReturnType<typeof useConnectionDraft> }) {
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
        {CONNECTION_FIELDS.map(([key, label, type]) => (
          <TextField key={key} size="small" label={label} type={type} value={draft.values[key]} required={key !== 'password'}
            autoComplete={type === 'password' ? 'new-password' : 'off'} autoFocus={key === 'name'}
            helperText={key === 'username' ? 'A role that may only read' : undefined}
            onChange={(e) => draft.set(key, e.target.value)} />
        ))}
      </Box>
      <FormControlLabel control={<Switch checked={draft.useSsl} onChange={(e) => draft.setUseSsl(e.target.checked)} />} label="Encrypted (TLS)" />
    </>
  );
}
