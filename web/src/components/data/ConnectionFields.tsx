import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { CONNECTION_FIELDS, type useConnectionDraft } from '../../hooks/useConnectionDraft';

/** A name of the tz database. The browser's list may lack some that the server knows, so others can be typed. */
function TimeZone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], []);
  return (
    <Autocomplete freeSolo size="small" options={zones} inputValue={value} onInputChange={(_event, zone) => onChange(zone)}
      renderInput={(params) => (
        <TextField {...params} label="Time zone" placeholder="UTC" helperText="Of &quot;today&quot; and of times" />
      )} />
  );
}

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
        <TimeZone value={draft.timeZone} onChange={draft.setTimeZone} />
      </Box>
      <FormControlLabel control={<Switch checked={draft.useSsl} onChange={(e) => draft.setUseSsl(e.target.checked)} />} label="Encrypted (TLS)" />
    </>
  );
}
