import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import type { Schedule, ScheduleChange } from '../../api/types';
import { useScheduleActs } from '../../hooks/useSchedules';
import { cronOf, FIRST, timingOf } from '../../utils/cronText';
import { CopyButton } from '../common/CopyButton';
import { ConditionFields, type ConditionDraft } from './ConditionFields';
import { TimingFields } from './TimingFields';

type On = 'condition' | 'failure' | 'always';
type Sends = 'state' | 'value' | 'rows';

interface ScheduleDialogProps {
  question: string;
  ontologyId?: string;
  /** Of the answer: what a condition may name. */
  columns: string[];
  /** The schedule to change; absent: a new one. */
  schedule?: Schedule;
  onClose: () => void;
}

function draftOf(schedule: Schedule | undefined, columns: string[]): ConditionDraft {
  const { test = '', column = columns[0] ?? '', take = 'first', amount, unit = 'percent' } = schedule?.condition ?? {};
  return { test, column, take, amount: amount === undefined ? '10' : String(amount), unit } as ConditionDraft;
}

/** The secret of a webhook, which is shown once. */
function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="secret-title">
      <DialogTitle id="secret-title">Secret of the webhook</DialogTitle>
      <DialogContent>
        <Alert severity="info" sx={{ mb: 2 }}>It is shown only now. The receiver checks the header X-Sextant-Signature with it.</Alert>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <TextField label="Secret" fullWidth value={secret} slotProps={{ htmlInput: { readOnly: true } }} />
          <CopyButton text={secret} what="secret" />
        </Box>
      </DialogContent>
      <DialogActions><Button variant="contained" onClick={onClose}>Done</Button></DialogActions>
    </Dialog>
  );
}

/** Asks a question at times: when, under what condition a webhook is sent, and where to. */
export default function ScheduleDialog({ question, ontologyId, columns, schedule, onClose }: ScheduleDialogProps) {
  const { add, change } = useScheduleActs();
  const [text, setText] = useState(schedule?.question ?? question);
  const [timing, setTiming] = useState(schedule ? timingOf(schedule.cron) : FIRST);
  const [zone, setZone] = useState(schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [condition, setCondition] = useState(draftOf(schedule, columns));
  const [url, setUrl] = useState(schedule?.webhook?.url ?? '');
  const [on, setOn] = useState<On>(schedule?.webhook?.on ?? 'condition');
  const [sends, setSends] = useState<Sends>(schedule?.webhook?.sends ?? 'state');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const { test, column, take, amount, unit } = condition;
    const compares = test === 'rises' || test === 'falls';
    const body: ScheduleChange = {
      question: text.trim(), cron: cronOf(timing), timeZone: zone.trim(),
      condition: test === '' ? null : { column, take, test, amount: Number(amount), unit: compares ? unit : 'absolute' },
      webhook: url.trim() ? { url: url.trim(), on, sends } : null,
      ...(schedule && { name: schedule.name === schedule.question ? text.trim().slice(0, 200) : schedule.name }),
    };
    setBusy(true);
    setRefusal(null);
    try {
      const made = schedule ? await change(schedule.id, body) : await add({ ...body, question: text.trim(), cron: cronOf(timing), ontologyId: ontologyId! });
      if (made.webhookSecret) setSecret(made.webhookSecret);
      else onClose();
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  if (secret) return <Secret secret={secret} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="schedule-title">
      <form onSubmit={(e) => void save(e)}>
        <DialogTitle id="schedule-title">{schedule ? 'Edit the schedule' : 'Ask this on a schedule'}</DialogTitle>
        <DialogContent>
          {refusal && <Alert severity="error" sx={{ mb: 2 }}>{refusal}</Alert>}
          <TextField label="Question that makes sense on its own" fullWidth multiline required margin="dense" value={text} onChange={(e) => setText(e.target.value)}
            slotProps={{ htmlInput: { maxLength: 2000 } }} />
          <TimingFields timing={timing} zone={zone} onTiming={setTiming} onZone={setZone} />
          <ConditionFields draft={condition} columns={columns} onChange={setCondition} />
          <TextField label="Webhook (address to notify)" type="url" fullWidth margin="normal" value={url} onChange={(e) => setUrl(e.target.value)}
            placeholder="https://" slotProps={{ htmlInput: { maxLength: 2000 }, inputLabel: { shrink: true } }} />
          {url.trim() && (
            <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(200px, 1fr))', mt: 1 }}>
              <TextField select label="Notify" value={on} onChange={(e) => setOn(e.target.value as On)}>
                <MenuItem value="condition">When the condition holds, or it fails</MenuItem>
                <MenuItem value="failure">Only when it fails</MenuItem>
                <MenuItem value="always">After each run</MenuItem>
              </TextField>
              <TextField select label="Send" value={sends} onChange={(e) => setSends(e.target.value as Sends)}>
                <MenuItem value="state">No data</MenuItem>
                <MenuItem value="value">Question and number</MenuItem>
                <MenuItem value="rows">Also the first rows</MenuItem>
              </TextField>
            </Box>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" disabled={!text.trim()}>{schedule ? 'Save' : 'Schedule'}</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
