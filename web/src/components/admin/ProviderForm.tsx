import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import type { ModelKnobs, ModelSettings } from '../../api/types';

export type Knob = 'model' | 'temperature' | 'reasoningLevel';
export type FormValues = Record<Knob, string>;

interface ProviderFormProps {
  name: string;
  /** What the model takes; not known: anything. */
  takes: ModelKnobs | undefined;
  values: FormValues;
  /** What the server says of a field. */
  errors: Partial<Record<Knob, string>>;
  onChange: (knob: Knob, text: string) => void;
}

/** By knob what to write there. What is set stays in sight, so that it can be taken back. */
function knobsOf(takes: ModelKnobs | undefined, values: FormValues): [Knob, string, string][] {
  const levels = [...(takes?.reasoningLevels ?? []), ...(takes?.reasoningTokens ? ['1024 to 128000 tokens'] : [])];
  const usual = takes && !values.model.trim() ? `${takes.model} if empty` : "The operator's if empty";
  const knobs: [Knob, string, string][] = [['model', 'Model', usual]];
  if (!takes || takes.temperature || values.temperature)
    knobs.push(['temperature', 'Temperature', takes ? '0 to 2' : '0 to 2, where the model takes one']);
  if (!takes || levels.length || values.reasoningLevel)
    knobs.push(['reasoningLevel', 'Reasoning', takes ? levels.join(', ') : 'As the model has it']);
  return knobs;
}

export function valuesOf(settings: ModelSettings | undefined): FormValues {
  return {
    model: settings?.model ?? '',
    temperature: String(settings?.temperature ?? ''),
    reasoningLevel: String(settings?.reasoningLevel ?? ''),
  };
}

/** Null takes a setting back; what is no number goes as it is, so that the server says what it thinks of it. */
export function settingsOf(values: FormValues): ModelSettings {
  const number = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  const { model, temperature, reasoningLevel } = values;
  return {
    model: model.trim() || null,
    temperature: temperature.trim() ? (number(temperature.trim()) as number) : null,
    reasoningLevel: reasoningLevel.trim() ? number(reasoningLevel.trim()) : null,
  };
}

/** How the models of one provider are used. */
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
