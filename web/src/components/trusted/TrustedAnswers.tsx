import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { messageOf } from '../../api/errors';
import type { TrustedAnswer } from '../../api/types';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { useMayTrust, useTrust, useTrustedAnswers } from '../../hooks/useTrustedAnswers';
import { CodeBlock } from '../common/CodeBlock';
import { ConfirmDialog } from '../common/ConfirmDialog';
import { ErrorCard } from '../common/ErrorCard';

const removeId = (id: string) => `remove-${id}`;

function Row({ answer, onRemove }: { answer: TrustedAnswer; onRemove?: () => void }) {
  const [open, setOpen] = useState(false);
  const stale = answer.state === 'stale';
  return (
    <Paper component="li" variant="outlined" sx={{ p: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography sx={{ flex: 1, minWidth: 200, overflowWrap: 'anywhere' }}>{answer.question}</Typography>
        <Chip size="small" variant="outlined" color={stale ? 'warning' : 'success'} label={answer.state} />
        <Button size="small" aria-expanded={open} aria-label={`SQL of ${answer.question}`} onClick={() => setOpen(!open)}>SQL</Button>
        {onRemove && <Button id={removeId(answer.id)} size="small" color="error" aria-label={`Remove ${answer.question}`} onClick={onRemove}>Remove</Button>}
      </Stack>
      <Typography variant="caption" color="textSecondary" component="p">
        {answer.ontologyName} · {answer.by}, {new Date(answer.at).toLocaleDateString()}
        {answer.period && ` · only for ${answer.period}`}
      </Typography>
      {stale && <Typography variant="body2" color="warning">Not used: {answer.problem}</Typography>}
      {open && <CodeBlock code={answer.sql} language="sql" />}
    </Paper>
  );
}

/** The list of trusted answers, which owners of their ontology may remove. */
export function TrustedAnswers() {
  const { answers, isLoading, error, refetch } = useTrustedAnswers();
  const { remove } = useTrust();
  const mayTrust = useMayTrust();
  const { enqueueSnackbar } = useSnackbar();
  const [leaving, setLeaving] = useState<TrustedAnswer | null>(null);
  const keep = useKeyboardKept(answers);
  if (error) return <ErrorCard title="The trusted answers could not be read" error={error} onRetry={() => void refetch()} />;
  const removeOne = (answer: TrustedAnswer) => {
    const i = answers.indexOf(answer);
    const neighbour = answers[i + 1] ?? answers[i - 1];
    if (neighbour) keep(removeId(neighbour.id));
    void remove(answer.id).catch((refusal: unknown) => enqueueSnackbar(messageOf(refusal), { variant: 'error' }));
  };
  return (
    <Box>
      {!isLoading && answers.length === 0 && (
        <Typography variant="body2" color="textSecondary">None yet. The star at an answer marks it as trusted.</Typography>
      )}
      <Stack component="ul" spacing={1} aria-label="Trusted answers" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {answers.map((answer) => (
          <Row key={answer.id} answer={answer} onRemove={mayTrust(answer.ontologyId) ? () => setLeaving(answer) : undefined} />
        ))}
      </Stack>
      {leaving && (
        <ConfirmDialog title="Remove this trusted answer?" text={leaving.question} act="Remove"
          onClose={() => setLeaving(null)} onConfirm={() => removeOne(leaving)} />
      )}
    </Box>
  );
}
