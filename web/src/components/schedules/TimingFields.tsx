import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useDeferredValue } from 'react';
import { ApiError, messageOf } from '../../api/errors';
import { useTimes } from '../../hooks/useSchedules';
import { cronOf, twoDigits, WEEKDAYS, type Rhythm, type Timing } from '../../utils/cronText';

const RHYTHMS: [Rhythm, string][] = [
  ['hourly', 'Every hour'], ['daily', 'Every day'], ['weekdays', 'Monday to Friday'], ['weekly', 'Every week'],
  ['monthly', 'First of the month'], ['custom', 'Cron line'],
];

function refusalOf(error: unknown): string {
  const details = error instanceof ApiError && Array.isArray(error.details) ? (error.details as { field?: string; message?: string }[]) : [];
  return details.map(({ field, message }) => `${field === 'timeZone' ? 'The time zone' : 'The line'} ${message}.`).join(' ') || messageOf(error);
}

interface TimingFieldsProps {
  timing: Timing;
  zone: string;
  onTiming: (timing: Timing) => void;
  onZone: (zone: string) => void;
}

/** When a question is asked, with the next times as the server computes them. */
export function TimingFields({ timing, zone, onTiming, onZone }: TimingFieldsProps) {
  const cron = useDeferredValue(cronOf(timing));
  const times = useTimes(cron, useDeferredValue(zone.trim()));
  const set = (part: Partial<Timing>) => onTiming({ ...timing, ...part });
  const { rhythm } = timing;
  const shown = (at: string) => new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short', timeZone: times.data?.timeZone });
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))', mt: 2 }}>
        <TextField select label="When" value={rhythm} onChange={(e) => set({ rhythm: e.target.value as Rhythm, cron: cronOf(timing) })}>
          {RHYTHMS.map(([value, name]) => <MenuItem key={value} value={value}>{name}</MenuItem>)}
        </TextField>
        {rhythm === 'weekly' && (
          <TextField select label="Day" value={timing.weekday} onChange={(e) => set({ weekday: Number(e.target.value) })}>
            {WEEKDAYS.map((name, i) => <MenuItem key={name} value={i}>{name}</MenuItem>)}
          </TextField>
        )}
        {rhythm === 'custom'
          ? <TextField label="Cron line" required value={timing.cron} onChange={(e) => set({ cron: e.target.value })}
              slotProps={{ htmlInput: { maxLength: 200, spellCheck: false } }} />
          : rhythm === 'hourly'
            ? <TextField label="Minute" type="number" required value={Number(timing.time.slice(3))} onChange={(e) => set({ time: `08:${twoDigits(e.target.value)}` })}
                slotProps={{ htmlInput: { min: 0, max: 59 } }} />
            : <TextField label="At" type="time" required value={timing.time} onChange={(e) => e.target.value && set({ time: e.target.value })}
                slotProps={{ inputLabel: { shrink: true } }} />}
        <TextField label="Time zone" required value={zone} onChange={(e) => onZone(e.target.value)} slotProps={{ htmlInput: { maxLength: 64, spellCheck: false } }} />
      </Box>
      <Typography variant="body2" color={times.error ? 'error' : 'textSecondary'} role="status" sx={{ mt: 1, minHeight: 40 }}>
        {times.error ? refusalOf(times.error) : times.data ? `Next: ${times.data.times.slice(0, 3).map(shown).join('; ')}` : ''}
      </Typography>
    </>
  );
}
