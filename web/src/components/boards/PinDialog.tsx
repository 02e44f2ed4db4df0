import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useSnackbar } from 'notistack';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../api/errors';
import type { CardChart, StepResult } from '../../api/types';
import { useBoardActs, useBoards } from '../../hooks/useBoards';
import { suggestedChart } from '../../utils/cardChart';
import { rowsOf, type Rows } from '../../utils/rows';
import { CardChartFields } from './CardChartFields';

const NEW = 'new';

interface PinDialogProps {
  messageId: string;
  question: string;
  /** Those with rows, at least one. */
  steps: StepResult[];
  onClose: () => void;
}

function stepRows(step: StepResult | undefined): Rows | null {
  return step?.sqlResult ? rowsOf(step.sqlResult) : null;
}

/** Pins an answer to a board, which may be a new one. */
export default function PinDialog({ messageId, question, steps, onClose }: PinDialogProps) {
  const { boards, isLoading } = useBoards();
  const { add, pin } = useBoardActs();
  const { enqueueSnackbar } = useSnackbar();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<string | null>(null);
  const [name, setName] = useState('My board');
  const [title, setTitle] = useState(question.slice(0, 500));
  const [stepId, setStepId] = useState(() => (steps.findLast((step) => suggestedChart(stepRows(step))) ?? steps.at(-1)!).stepId);
  const rows = useMemo(() => stepRows(steps.find((step) => step.stepId === stepId)), [steps, stepId]);
  const [chosen, setChosen] = useState<{ step: number; chart: CardChart | null } | null>(null);
  const suggested = useMemo(() => suggestedChart(rows), [rows]);
  const chart = chosen?.step === stepId ? chosen.chart : suggested;
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const board = wanted ?? boards[0]?.id ?? NEW;
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      const made = board === NEW ? await add(name.trim()) : boards.find((one) => one.id === board)!;
      if (board === NEW) setWanted(made.id);
      await pin(made.id, { messageId, stepId, chart, ...(title.trim() && { title: title.trim() }) });
      enqueueSnackbar(`Pinned to ${made.name}`, { action: <Button color="inherit" onClick={() => void navigate(`/boards/${made.id}`)}>Open</Button> });
      onClose();
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="pin-title">
      <form onSubmit={(e) => void save(e)}>
        <DialogTitle id="pin-title">Pin to board</DialogTitle>
        <DialogContent>
          {refusal && <Alert severity="error" sx={{ mb: 2 }}>{refusal}</Alert>}
          <TextField select fullWidth margin="dense" label="Board" value={isLoading ? '' : board} disabled={isLoading} onChange={(e) => setWanted(e.target.value)}>
            {boards.map(({ id, name: of }) => <MenuItem key={id} value={id}>{of}</MenuItem>)}
            <MenuItem value={NEW}>New board…</MenuItem>
          </TextField>
          {!isLoading && board === NEW && (
            <TextField fullWidth required margin="normal" label="Name of the board" value={name} onChange={(e) => setName(e.target.value)}
              slotProps={{ htmlInput: { maxLength: 200 } }} />
          )}
          <TextField fullWidth margin="normal" label="Title of the card" value={title} onChange={(e) => setTitle(e.target.value)}
            slotProps={{ htmlInput: { maxLength: 500 } }} />
          {steps.length > 1 && (
            <TextField select label="Result" fullWidth margin="normal" value={stepId} onChange={(e) => setStepId(Number(e.target.value))}>
              {steps.map((step) => <MenuItem key={step.stepId} value={step.stepId}>{step.stepId}: {step.description}</MenuItem>)}
            </TextField>
          )}
          {rows && <CardChartFields rows={rows} chart={chart} onChart={(next) => setChosen({ step: stepId, chart: next })} />}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="contained" disabled={isLoading || (board === NEW && !name.trim())}>Pin</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
