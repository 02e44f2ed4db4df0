import CircularProgress from '@mui/material/CircularProgress';
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
