import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { ErrorCard } from '../common/ErrorCard';
import { UserMessage } from './UserMessage';

/** A question that the server has not confirmed yet. */
export function PendingQuestion({ content }: { content: string }) {
  return (
    <>
      <UserMessage content={content} disabled />
      <CircularProgress size={20} aria-label="Sending the question" />
    </>
  );
}

interface UnsentQuestionProps {
  content: string;
  error: unknown;
  onRetry: () => void;
  onDiscard: () => void;
}

/** A question that did not reach the server. It stays until it is sent or discarded. */
export function UnsentQuestion({ content, error, onRetry, onDiscard }: UnsentQuestionProps) {
  return (
    <>
      <UserMessage content={content} disabled />
      <ErrorCard title="The question was not sent" error={error} onRetry={onRetry}>
        <Button size="small" color="inherit" onClick={onDiscard} sx={{ ml: -0.5, display: 'block' }}>Discard</Button>
      </ErrorCard>
    </>
  );
}
