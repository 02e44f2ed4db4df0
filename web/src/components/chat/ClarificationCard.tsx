import HelpOutline from '@mui/icons-material/HelpOutlined';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { repliesTo, withAssumptions, withClarifications, type Clarification } from '../../utils/clarify';

interface ClarificationCardProps {
  questions: Clarification[];
  originalQuestion: string;
  /** Both are absent when the card is answered, or when the user may not answer it. */
  onAnswer?: (combinedMessage: string) => void;
  onProceed?: (combinedMessage: string) => void;
  disabled?: boolean;
}

/** Questions to the user, each with the assumption that is made without a reply. */
export function ClarificationCard(props: ClarificationCardProps) {
  const { questions, originalQuestion, onAnswer, onProceed, disabled = false } = props;
  const [answering, setAnswering] = useState(false);
  const [answers, setAnswers] = useState<string[]>([]);
  const set = (i: number, text: string) =>
    setAnswers(questions.map((_q, k) => (k === i ? text : (answers[k] ?? ''))));
  const send = () =>
    onAnswer?.(
      withClarifications(
        originalQuestion,
        questions.map((q, i) => ({ question: q.question, answer: answers[i]?.trim() || q.assumption })),
      ),
    );

  return (
    <Card variant="outlined" sx={{ borderColor: 'info.main', my: 1 }}>
      <CardContent component="form" onSubmit={(e: React.FormEvent) => { e.preventDefault(); send(); }}>
        <Stack direction="row" spacing={1} sx={{ alignItems: 'center', mb: 1 }}>
          <HelpOutline color="info" />
          <Typography variant="subtitle1" component="h3">Before I query the data: please clarify</Typography>
        </Stack>
        {answering && (
          <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>{originalQuestion}</Typography>
        )}
        <Stack component="ol" spacing={1.5} sx={{ pl: 2.5, my: 0 }}>
          {questions.map((q, i) => (
            <li key={q.question}>
              <Typography variant="body1">{q.question}</Typography>
              <Typography variant="body2" color="textSecondary">Otherwise: {q.assumption}</Typography>
              {onAnswer && onProceed && (
                <Stack direction="row" role="group" aria-label={`Replies ${i + 1}`} sx={{ flexWrap: 'wrap', gap: 0.75, mt: 0.5 }}>
                  {repliesTo(q).map((reply) => (
                    <Chip key={reply} size="small" label={reply} disabled={disabled} aria-pressed={answers[i] === reply}
                      color={answers[i] === reply ? 'primary' : 'default'} variant={answers[i] === reply ? 'filled' : 'outlined'}
                      onClick={() => { setAnswering(true); set(i, reply); }} />
                  ))}
                </Stack>
              )}
              {answering && onAnswer && (
                <TextField
                  fullWidth size="small" margin="dense" placeholder={q.assumption} disabled={disabled}
                  autoFocus={i === 0} value={answers[i] ?? ''} onChange={(e) => set(i, e.target.value)}
                  slotProps={{ htmlInput: { 'aria-label': q.question } }}
                />
              )}
            </li>
          ))}
        </Stack>
        {onAnswer && onProceed && <Stack direction="row" spacing={1} sx={{ mt: 2, flexWrap: 'wrap' }}>
          {answering ? (
            <Button key="send" type="submit" variant="contained" disabled={disabled}>Send answers</Button>
          ) : (
            <Button key="answer" variant="contained" disabled={disabled} onClick={() => setAnswering(true)}>Answer</Button>
          )}
          <Button disabled={disabled} onClick={() => onProceed(withAssumptions(originalQuestion, questions))}>
            Proceed with assumptions
          </Button>
        </Stack>}
      </CardContent>
    </Card>
  );
}
