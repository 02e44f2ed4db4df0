import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { reasonOf } from '../../api/errors';
import type { StepResult, TrustedAnswer } from '../../api/types';
import { useTrust } from '../../hooks/useTrustedAnswers';
import { CodeBlock } from '../common/CodeBlock';

interface TrustDialogProps {
  messageId: string;
  question: string;
  /** Those with SQL, at least one. */
  steps: StepResult[];
  marked: TrustedAnswer | null;
  onClose: () => void;
}

/** Marks an answer as trusted, or removes the mark. */
export default function TrustDialog({ messageId, question, steps, marked, onClose }: TrustDialogProps) {
  const { add, remove } = useTrust();
  const [text, setText] = useState(marked?.question ?? question);
  const [stepId, setStepId] = useState(marked?.stepId ?? steps[0]!.stepId);
  const [refusal, setRefusal] = useState<string | null>(null);
  const sql = steps.find((step) => step.stepId === stepId)?.sqlResult?.sql ?? '';
  const attempt = (act: Promise<unknown>) =>
    act.then(onClose, (error: unknown) => setRefusal(reasonOf(error)));
  const save = (event: React.FormEvent) => {
    event.preventDefault();
    if (text.trim()) void attempt(add({ messageId, stepId, question: text.trim() }));
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="trust-title">
      <form onSubmit={save}>
        <DialogTitle id="trust-title">{marked ? 'A trusted answer' : 'Mark as trusted?'}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            The same question is then answered by this query, for everyone who uses these data. Similar questions get it as an example.
          </DialogContentText>
          {marked?.state === 'stale' && <Alert severity="warning" sx={{ mb: 2 }}>It is not used at present: {marked.problem}</Alert>}
          {refusal && <Alert severity="error" sx={{ mb: 2 }}>{refusal}</Alert>}
          <TextField label="Question that makes sense on its own" fullWidth multiline autoFocus value={text}
            onChange={(e) => setText(e.target.value)} slotProps={{ htmlInput: { maxLength: 2000 } }} />
          {steps.length > 1 && (
            <TextField select label="Query" fullWidth margin="normal" value={stepId} onChange={(e) => setStepId(Number(e.target.value))}>
              {steps.map((step) => <MenuItem key={step.stepId} value={step.stepId}>{step.stepId}: {step.description}</MenuItem>)}
            </TextField>
          )}
          <CodeBlock code={sql} language="sql" maxHeight={240} />
        </DialogContent>
        <DialogActions>
          {marked && <Button color="error" onClick={() => void attempt(remove(marked.id))}>Remove</Button>}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained">{marked ? 'Save' : 'Mark as trusted'}</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
