import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { memo } from 'react';
import { metadataOf, type DataChatMessage, type ProviderId } from '../../api/types';
import { useRunText } from '../../hooks/useDataChat';
import type { RunStore } from '../../utils/runStore';
import { ErrorCard } from '../common/ErrorCard';
import { Markdown } from '../common/Markdown';
import { AnswerBody } from './AnswerBody';
import { BranchPicker } from './BranchPicker';
import { ClarificationCard } from './ClarificationCard';
import { MessageActions } from './MessageActions';
import { UserMessage } from './UserMessage';

export interface ChatMessageProps {
  message: DataChatMessage;
  siblings?: string[];
  /** The text of an answer that is being written. */
  store?: RunStore;
  /** Of an answer: what was asked. */
  question?: string;
  disabled?: boolean;
  onChoose?: (message: DataChatMessage, id: string) => void;
  onEdit?: (message: DataChatMessage, content: string) => void;
  onRegenerate?: (message: DataChatMessage, provider?: ProviderId) => void;
  /** Of the last message alone. */
  onSend?: (content: string) => void;
}

function Writing({ store }: { store: RunStore }) {
  const text = useRunText(store);
  return text ? <Markdown>{text}</Markdown> : null;
}

function Failure({ message, onRegenerate }: Pick<ChatMessageProps, 'message' | 'onRegenerate'>) {
  const error = metadataOf(message)?.error;
  const stopped = error?.code === 'CANCELLED';
  if (stopped)
    return <Typography variant="body2" color="textSecondary">Stopped.</Typography>;
  return (
    <ErrorCard
      title="This answer failed"
      error={new Error(error?.message ?? 'No reason is known')}
      code={error?.code}
      onRetry={onRegenerate && (() => onRegenerate(message))}
    />
  );
}

function Answer(props: ChatMessageProps) {
  const { message, siblings = [], store, question, disabled = false } = props;
  const { onChoose, onRegenerate, onSend } = props;
  const metadata = metadataOf(message);
  const generating = message.status === 'generating';
  const questions = metadata?.clarificationQuestions ?? [];
  return (
    <Box data-role="assistant" sx={{ mb: 3, minWidth: 0 }}>
      <Paper elevation={0} sx={{ bgcolor: 'transparent', minWidth: 0 }}>
        {generating && store ? <Writing store={store} /> : <AnswerBody message={message} metadata={metadata} />}
        {generating && <CircularProgress size={20} aria-label="Generating the answer" sx={{ mt: 1 }} />}
        {message.status === 'failed' && <Failure message={message} onRegenerate={onRegenerate} />}
        {message.status === 'clarification_needed' && (
          <ClarificationCard
            questions={questions}
            originalQuestion={question ?? ''}
            onAnswer={onSend}
            onProceed={onSend}
            disabled={disabled}
          />
        )}
      </Paper>
      {!generating && (
        <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
          <BranchPicker id={message.id} siblings={siblings} onChoose={(id) => onChoose?.(message, id)} />
          <MessageActions message={message} disabled={disabled}
            onRegenerate={onRegenerate && ((provider) => onRegenerate(message, provider))} />
        </Stack>
      )}
    </Box>
  );
}

/** A question or an answer. */
export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  const { message, siblings = [], onChoose, onEdit, disabled } = props;
  return (
    <Box id={`m-${message.id}`} sx={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 160px', scrollMarginTop: 16 }}>
      {message.role === 'assistant' ? (
        <Answer {...props} />
      ) : (
        <UserMessage content={message.content} disabled={disabled}
          onEdit={onEdit && ((content) => onEdit(message, content))}>
          <BranchPicker id={message.id} siblings={siblings} onChoose={(id) => onChoose?.(message, id)} />
        </UserMessage>
      )}
    </Box>
  );
});
