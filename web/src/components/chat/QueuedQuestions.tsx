import Cancel from '@mui/icons-material/Cancel';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';

interface QueuedQuestionsProps {
  queue: string[];
  /** The answer is in progress; otherwise the questions wait for the user. */
  busy: boolean;
  onDrop: (at: number) => void;
  onNext: () => void;
}

/** The questions that are asked next. */
export function QueuedQuestions({ queue, busy, onDrop, onNext }: QueuedQuestionsProps) {
  if (queue.length === 0) return null;
  return (
    <Stack role="group" aria-label="Asked next" direction="row" sx={{ flexWrap: 'wrap', gap: 0.75, mb: 0.75, alignItems: 'center' }}>
      <Typography variant="caption" color="textSecondary">{busy ? 'Asked next:' : 'Still waiting:'}</Typography>
      {queue.map((question, i) => (
        <Chip key={i} size="small" label={question} title={question} sx={{ maxWidth: 320 }}
          deleteIcon={<Cancel titleAccess={`Remove ${question}`} />}
          onClick={!busy && i === 0 ? onNext : undefined} onDelete={() => onDrop(i)} />
      ))}
    </Stack>
  );
}
