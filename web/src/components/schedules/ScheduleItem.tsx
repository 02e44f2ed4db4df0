import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { Schedule, ScheduleDelivery, ScheduleRun } from '../../api/types';
import { useScheduleLog } from '../../hooks/useSchedules';
import { timingText } from '../../utils/cronText';
import { ErrorCard } from '../common/ErrorCard';

const COLORS = { active: 'success', paused: 'default', stopped: 'warning' } as const;
const time = (at: string) => new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

export const pauseId = (id: string) => `pause-${id}`;

function conditionText({ condition }: Schedule): string | null {
  if (!condition) return null;
  const { column, test, amount, unit, take } = condition;
  const of = take && take !== 'first' ? ` (${take})` : '';
  const by = test === 'above' || test === 'below' ? `is ${test}` : `${test} by at least`;
  return `${column}${of} ${by} ${amount}${unit === 'percent' ? ' %' : ''}`;
}

function RunLine({ run }: { run: ScheduleRun }) {
  const held = run.conditionHeld === null ? '' : run.conditionHeld ? 'condition held' : 'condition did not hold';
  const value = run.value && `${run.value}${run.previous ? ` after ${run.previous}` : ''}`;
  return (
    <li>
      {time(run.dueAt)}: {[run.state, value, held, run.reason].filter(Boolean).join(', ')}
      {run.chatId && run.messageId && <> · <Link to={`/agent/${run.chatId}#m-${run.messageId}`}>answer</Link></>}
    </li>
  );
}

function DeliveryLine({ delivery: d }: { delivery: ScheduleDelivery }) {
  const tries = d.attempts === 1 ? '1 attempt' : `${d.attempts} attempts`;
  return <li>{time(d.createdAt)}: {[d.event, d.state, tries, d.status && `HTTP ${d.status}`, d.error].filter(Boolean).join(', ')}</li>;
}

function Log({ id }: { id: string }) {
  const { runs, deliveries, error } = useScheduleLog(id);
  if (error) return <ErrorCard title="The runs could not be read" error={error} />;
  const list = { m: 0, pl: 2.5, typography: 'body2', overflowWrap: 'anywhere' } as const;
  return (
    <Box sx={{ mt: 1 }}>
      <Typography variant="subtitle2" component="h3">Latest runs</Typography>
      {runs?.length === 0 && <Typography variant="body2" color="textSecondary">None yet.</Typography>}
      <Box component="ul" sx={list}>{runs?.map((run) => <RunLine key={run.id} run={run} />)}</Box>
      <Typography variant="subtitle2" component="h3" sx={{ mt: 1 }}>Latest webhooks</Typography>
      {deliveries?.length === 0 && <Typography variant="body2" color="textSecondary">None yet.</Typography>}
      <Box component="ul" sx={list}>{deliveries?.map((one) => <DeliveryLine key={one.id} delivery={one} />)}</Box>
    </Box>
  );
}

interface ScheduleItemProps {
  schedule: Schedule;
  /** Undefined for those who may only read. */
  onEdit?: () => void;
  onState?: (state: 'active' | 'paused') => void;
  onRemove?: () => void;
}

/** A schedule with its state, its next time and its latest run; the log opens on demand. */
export function ScheduleItem({ schedule, onEdit, onState, onRemove }: ScheduleItemProps) {
  const [open, setOpen] = useState(false);
  const logId = useId();
  const { name, state, reason, nextAt, lastRun, webhook, chatId } = schedule;
  const condition = conditionText(schedule);
  const facts = [
    schedule.ontologyName, `${timingText(schedule.cron)} (${schedule.timeZone})`, nextAt && `next ${time(nextAt)}`,
    lastRun && `last ${time(lastRun.dueAt)}: ${lastRun.state}${lastRun.reason ? ` (${lastRun.reason})` : ''}`,
    condition && `when ${condition}`, webhook && `webhook to ${webhook.url}`,
  ].filter(Boolean);
  return (
    <Paper component="li" variant="outlined" sx={{ p: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography component="h2" sx={{ flex: 1, minWidth: 200, fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</Typography>
        <Chip size="small" variant="outlined" color={COLORS[state]} label={state} />
      </Stack>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>{facts.join(' · ')}</Typography>
      {state === 'stopped' && reason && <Alert severity="warning" sx={{ mt: 1, py: 0 }}>It was stopped: {reason}</Alert>}
      <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap', mt: 0.5, ml: -0.75 }}>
        <Button size="small" aria-expanded={open} aria-controls={logId} aria-label={`Runs of ${name}`} onClick={() => setOpen(!open)}>Runs</Button>
        {chatId && <Button size="small" component={Link} to={`/agent/${chatId}`} aria-label={`Chat of ${name}`}>Chat</Button>}
        {onEdit && <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit}>Edit</Button>}
        {onState && (
          <Button size="small" id={pauseId(schedule.id)} aria-label={`${state === 'active' ? 'Pause' : 'Resume'} ${name}`} onClick={() => onState(state === 'active' ? 'paused' : 'active')}>
            {state === 'active' ? 'Pause' : 'Resume'}
          </Button>
        )}
        {onRemove && <Button size="small" color="error" aria-label={`Delete ${name}`} onClick={onRemove}>Delete</Button>}
      </Stack>
      <Box id={logId}>{open && <Log id={schedule.id} />}</Box>
    </Paper>
  );
}
