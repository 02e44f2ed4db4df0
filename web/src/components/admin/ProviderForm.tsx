import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import type { ModelKnobs, ModelSettings } from '../../api/types';

export type Knob = 'model' | 'temperature' | 'reasoningLevel';
export type FormValues = Record<Knob, string>;

interface ProviderFormProps {
  name: string;
  /** Which settings the model accepts; undefined while unknown, then all are offered. */
  takes: ModelKnobs | undefined;
  values: FormValues;
  /** The server's error message for a field. */
  errors: Partial<Record<Knob, string>>;
  onChange: (knob: Knob, text: string) => void;
}

/** Each setting with its help text. A value that is set stays visible, so that it can be cleared. */
function knobsOf(takes: ModelKnobs | undefined, values: FormValues): [Knob, string, string][] {
  const levels = [...(takes?.reasoningLevels ?? []), ...(takes?.reasoningTokens ? ['1024 to 128000 tokens'] : [])];
  const usual = takes && !values.model.trim() ? `${takes.model} if empty` : "The operator's if empty";
  const knobs: [Knob, string, string][] = [['model', 'Model', usual]];
  if (!takes || takes.temperature || values.temperature)
    knobs.push(['temperature', 'Temperature', takes ? '0 to 2' : '0 to 2, where the model takes one']);
  if (!takes || levels.length || values.reasoningLevel)
    knobs.push(['reasoningLevel', 'Reasoning', takes ? levels.join(', ') : "The model's default"]);
  return knobs;
}

export function valuesOf(settings: ModelSettings | undefined): FormValues {
  return {
    model: settings?.model ?? '',
    temperature: String(settings?.temperature ?? ''),
    reasoningLevel: String(settings?.reasoningLevel ?? ''),
  };
}

/** Null clears a setting. Text that is not a number is sent unchanged, so that the server reports the error. */
export function settingsOf(values: FormValues): ModelSettings {
  const number = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  const { model, temperature, reasoningLevel } = values;
  return {
    model: model.trim() || null,
    temperature: temperature.trim() ? (number(temperature.trim()) as number) : null,
    reasoningLevel: reasoningLevel.trim() ? number(reasoningLevel.trim()) : null,
  };
}

/** The model settings of one provider. */
export function ProviderForm({ name, takes, values, errors, onChange }: ProviderFormProps) {
  return (
    <Paper variant="outlined" component="section" sx={{ p: 2 }}>
      <Typography variant="subtitle1" component="h3" gutterBottom>{name}</Typography>
      <Stack direction={{ xs: 'column', md: 'row' }} spacing={2}>
        {knobsOf(takes, values).map(([knob, label, help]) => (
          <TextField key={knob} size="small" fullWidth label={label} value={values[knob]} error={Boolean(errors[knob])}
            helperText={errors[knob] ?? help} onChange={(e) => onChange(knob, e.target.value)}
            slotProps={{ htmlInput: { 'aria-label': `${name}: ${label}` } }} />
        ))}
      </Stack>
    </Paper>
  );
}
