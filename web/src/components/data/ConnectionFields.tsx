import Alert from '@mui/material/Alert';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { CONNECTION_FIELDS, type DatabaseType, type useConnectionDraft } from '../../hooks/useConnectionDraft';
import { readConnectionString } from '../../utils/connectionString';

/** A name of the tz database. The browser's list may lack some that the server knows, so others can be typed. */
export function TimeZone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], []);
  return (
    <Autocomplete freeSolo size="small" options={zones} inputValue={value} onInputChange={(_event, zone) => onChange(zone)}
      renderInput={(params) => (
        <TextField {...params} label="Time zone" placeholder="UTC" helperText="Of &quot;today&quot; and of times" />
      )} />
  );
}

type Draft = ReturnType<typeof useConnectionDraft>;

/** Offers to split a connection string that was pasted into a field. */
function Splitter({ draft }: { draft: Draft }) {
  const key = CONNECTION_FIELDS.map(([name]) => name).find((name) => name !== 'password' && readConnectionString(draft.values[name]) !== null);
  const parts = key && readConnectionString(draft.values[key]);
  if (!key || !parts) return null;
  const label = CONNECTION_FIELDS.find(([name]) => name === key)![1];
  const split = () => {
    const { useSsl, dbType, schema, ...texts } = parts;
    if (dbType) draft.setDbType(dbType);
    if (schema) draft.setSchema(schema);
    draft.set(key, '');
    for (const [name, text] of Object.entries(texts)) draft.set(name as keyof typeof texts, text);
    if (useSsl !== undefined) draft.setUseSsl(useSsl);
  };
  return (
    <Alert severity="info" action={<Button size="small" color="inherit" onClick={split}>Split it</Button>}>
      {label} contains a connection string.
    </Alert>
  );
}

const TYPES: [DatabaseType, string][] = [['postgresql', 'PostgreSQL'], ['trino', 'Trino']];

/** What only a catalog of a Trino cluster has. */
function ClusterFields({ draft }: { draft: Draft }) {
  return (
    <>
      <TextField size="small" label="Schema" value={draft.schema} helperText="Empty: all schemas of the catalog" autoComplete="off"
        onChange={(e) => draft.setSchema(e.target.value)} />
      <FormControlLabel control={<Switch checked={draft.token} onChange={(e) => draft.setToken(e.target.checked)} />} label="The password is a token (JWT)" />
    </>
  );
}

/** The fields of a connection. */
export function ConnectionFields({ draft }: { draft: Draft }) {
  return (
    <>
      <Splitter draft={draft} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
        <TextField select size="small" label="Type" value={draft.dbType} onChange={(e) => draft.setDbType(e.target.value as DatabaseType)}>
          {TYPES.map(([value, label]) => <MenuItem key={value} value={value}>{label}</MenuItem>)}
        </TextField>
        {CONNECTION_FIELDS.map(([key, label, type]) => (
          <TextField key={key} size="small" label={key === 'databaseName' && draft.dbType === 'trino' ? 'Catalog' : label} type={type} value={draft.values[key]} required={key !== 'password'}
            autoComplete={type === 'password' ? 'new-password' : 'off'} autoFocus={key === 'name'}
            helperText={key === 'username' ? 'A role that may only read' : undefined}
            onChange={(e) => draft.set(key, e.target.value)} />
        ))}
        {draft.dbType === 'trino' && <ClusterFields draft={draft} />}
        <TimeZone value={draft.timeZone} onChange={draft.setTimeZone} />
      </Box>
      <FormControlLabel control={<Switch checked={draft.useSsl} onChange={(e) => draft.setUseSsl(e.target.checked)} />} label="Encrypted (TLS)" />
      <FormHelperText sx={{ mt: -1 }}>
        {draft.useSsl ? 'If the server refuses TLS, ask its admin for a certificate; do not switch it off on a network that others use.'
          : 'Without TLS, the password and all rows can be read on the way. Use it only on this machine.'}
      </FormHelperText>
    </>
  );
}
