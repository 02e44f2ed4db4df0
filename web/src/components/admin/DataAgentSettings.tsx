import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { http, unwrap } from '../../api/client';
import { ApiError } from '../../api/errors';
import { keys } from '../../api/keys';
import type { SystemSettings } from '../../api/types';
import { useModelKnobs } from '../../hooks/useModelKnobs';
import { ErrorCard } from '../common/ErrorCard';
import { ProviderForm, settingsOf, valuesOf, type FormValues, type Knob } from './ProviderForm';

/** The built-in analyst has no settings. */
const PROVIDERS = [['openai', 'OpenAI'], ['anthropic', 'Anthropic'], ['azure', 'Azure OpenAI']] as const;

type Id = (typeof PROVIDERS)[number][0];
type Forms = Record<Id, FormValues>;
type FieldErrors = Partial<Record<Id, Partial<Record<Knob, string>>>>;

function formsOf(settings: SystemSettings): Forms {
  const models = settings.agentConfigs.dataAgent;
  return {
    openai: valuesOf(models?.openai),
    anthropic: valuesOf(models?.anthropic),
    azure: valuesOf(models?.azure),
  };
}

/** The server's error messages by provider and setting; null if the error concerns something else. */
function fieldErrors(error: unknown): FieldErrors | null {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return null;
  const found: FieldErrors = {};
  for (const { field, message } of error.details as { field: string; message: string }[]) {
    const [knob, id] = field.split('.').toReversed() as [Knob, Id];
    found[id] = { ...found[id], [knob]: message };
  }
  return found;
}

function Provider({ id, ...form }: { id: Id } & Omit<React.ComponentProps<typeof ProviderForm>, 'takes'>) {
  const takes = useModelKnobs(id, form.values.model.trim());
  return <ProviderForm {...form} takes={takes} />;
}

/** Edits of one version of the settings. A newer version replaces them only if no edit would be lost. */
function useForms(settings: SystemSettings) {
  const [base, setBase] = useState(settings);
  const [forms, setForms] = useState(() => formsOf(settings));
  const take = (now: SystemSettings) => {
    setBase(now);
    setForms(formsOf(now));
  };
  const newer = settings.version > base.version;
  if (newer && JSON.stringify(forms) === JSON.stringify(formsOf(base))) take(settings);
  const change = (id: Id, knob: Knob, text: string) =>
    setForms((before) => ({ ...before, [id]: { ...before[id], [knob]: text } }));
  return { base, forms, change, take, newer };
}

function Form({ settings }: { settings: SystemSettings }) {
  const cache = useQueryClient();
  const { enqueueSnackbar } = useSnackbar();
  const { base, forms, change, take, newer } = useForms(settings);
  const [error, setError] = useState<unknown>(null);
  const known = fieldErrors(error);
  const save = async () => {
    setError(null);
    const dataAgent = Object.fromEntries(PROVIDERS.map(([id]) => [id, settingsOf(forms[id])]));
    try {
      const params = { header: { 'If-Match': `"${base.version}"` } };
      const body = { agentConfigs: { dataAgent } };
      const now = await unwrap(http.PATCH('/api/system-settings', { params, body }));
      take(now);
      cache.setQueryData(keys.systemSettings, now);
      enqueueSnackbar('Settings saved', { variant: 'success' });
    } catch (refusal) {
      setError(refusal);
      void cache.invalidateQueries({ queryKey: keys.systemSettings });
    }
  };
  return (
    <Stack component="form" spacing={2} noValidate onSubmit={(e: React.FormEvent) => { e.preventDefault(); void save(); }}>
      {PROVIDERS.map(([id, name]) => (
        <Provider key={id} id={id} name={name} values={forms[id]} errors={known?.[id] ?? {}} onChange={(knob, text) => change(id, knob, text)} />
      ))}
      {newer && (
        <Alert severity="warning" action={<Button color="inherit" size="small" onClick={() => { setError(null); take(settings); }}>Show them</Button>}>
          Someone else has changed these settings.
        </Alert>
      )}
      {Boolean(error) && <ErrorCard title="The settings were not saved" error={error} />}
      <Button type="submit" variant="contained" sx={{ alignSelf: 'flex-start' }}>Save</Button>
    </Stack>
  );
}

/** The model settings of all providers, for the whole server. */
export function DataAgentSettings() {
  const settings = useQuery({
    queryKey: keys.systemSettings,
    queryFn: () => unwrap(http.GET('/api/system-settings')),
  });
  if (settings.error)
    return <ErrorCard title="The settings could not be read" error={settings.error} onRetry={() => void settings.refetch()} />;
  return (
    <>
      <Typography variant="h6" component="h2">Data Agent</Typography>
      {settings.data ? <Form settings={settings.data} /> : <Skeleton variant="rounded" height={200} />}
    </>
  );
}
