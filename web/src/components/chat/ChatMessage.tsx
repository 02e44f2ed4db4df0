import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import { memo, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { metadataOf, type DataChatMessage, type ProviderId } from '../../api/types';
import { useRunEvents, useRunRefused, useRunRounds, useRunStudy, useRunText } from '../../hooks/useDataChat';
import { useNearby } from '../../hooks/useNearby';
import { useWholeMessage } from '../../hooks/useWholeMessage';
import { blocksOf } from '../../utils/blocks';
import { liveWork } from '../../utils/liveWork';
import type { RunStore } from '../../utils/runStore';
import { withoutSameTables } from '../../utils/sameTable';
import { settledCalls } from '../../utils/toolLoop';
import { ErrorBoundary } from '../common/ErrorBoundary';
import { ErrorCard } from '../common/ErrorCard';
import { Later } from '../common/Later';
import { Markdown } from '../common/Markdown';
import { PartFailed } from '../common/PartFailed';
import { AnswerBody } from '../results/AnswerBody';
import { LiveStudy } from '../results/StudyEvidence';
import { BranchPicker } from './BranchPicker';
import { ClarificationCard } from './ClarificationCard';
import { FailedAnswer } from './FailedAnswer';
import { LiveWork } from '../insights/LiveWork';
import { LoopTranscript } from '../insights/LoopTranscript';
import { MessageActions } from './MessageActions';
import { ParameterChips } from './ParameterChips';
import { UserMessage } from './UserMessage';

export interface ChatMessageProps {
  message: DataChatMessage;
  siblings?: string[];
  /** The text of an answer in progress. */
  store?: RunStore;
  /** For an answer: its question. */
  question?: string;
  disabled?: boolean;
  /** One of the last messages of the chat: rendered in full at once, whatever the scroll position. */
  latest?: boolean;
  onChoose?: (message: DataChatMessage, id: string) => void;
  onEdit?: (message: DataChatMessage, content: string) => void;
  /** For a question: the user is editing it. */
  editing?: boolean;
  onEditing?: (id: string | null) => void;
  onRegenerate?: (message: DataChatMessage, provider?: ProviderId) => void;
  /** Called when its height has changed, before the next frame. */
  onResized?: () => void;
  /** For the last message only. */
  onSend?: (content: string) => void;
}

/** Rendered with low priority, so that typing stays fast. Only the last block changes. */
function Writing({ store, question }: { store: RunStore; question: string }) {
  const events = useDeferredValue(useRunEvents(store));
  const text = useDeferredValue(useRunText(store));
  const rounds = useDeferredValue(useRunRounds(store));
  const study = useDeferredValue(useRunStudy(store));
  const steps = useMemo(() => liveWork(events).steps, [events]);
  const blocks = useMemo(() => blocksOf(withoutSameTables(text, steps)), [text, steps]);
  return (
    <>
      <LoopTranscript rounds={rounds} />
      <LiveWork events={events} question={question} writing={text !== ''} />
      {study && <LiveStudy study={study} />}
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: 2 }}>
        {blocks.map((block, i) => <Markdown key={i}>{block}</Markdown>)}
      </Box>
    </>
  );
}

const Spinner = () => <CircularProgress size={20} aria-label="Generating the answer" sx={{ mt: 1 }} />;

function AtWork({ store }: { store: RunStore }) {
  return useRunRefused(store) ? null : <Spinner />;
}

function Answer(props: ChatMessageProps & { near: boolean }) {
  const { siblings = [], store, question, disabled = false, near } = props;
  // A finished answer takes the place of its text in many short tasks, not in a long one.
  const whole = useWholeMessage(useDeferredValue(props.message), near);
  const { message } = whole;
  const { onChoose, onRegenerate, onSend } = props;
  const metadata = metadataOf(message);
  const generating = message.status === 'generating';
  const questions = metadata?.clarificationQuestions ?? [];
  return (
    <Box data-role="assistant" sx={{ mb: 3, minWidth: 0 }}>
      <Paper elevation={0} sx={{ bgcolor: 'transparent', minWidth: 0 }}>
        {generating && store ? <Writing store={store} question={question ?? ''} /> : <AnswerBody message={message} metadata={metadata} question={question} textOnly={!near} />}
        {near && whole.isLoading && !whole.error && <Skeleton variant="rounded" height={160} />}
        {near && Boolean(whole.error) && (
          <ErrorCard title="The evidence for this answer could not be loaded" error={whole.error} onRetry={() => void whole.refetch()} />
        )}
        {generating && (store ? <AtWork store={store} /> : <Spinner />)}
        {message.status === 'failed' && <FailedAnswer message={message} onRegenerate={onRegenerate} />}
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
      {onSend && near && message.status === 'complete' && <ParameterChips message={message} onAsk={onSend} />}
      {!generating && near && (
        <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', minHeight: 28 }}>
          <Later>
            <BranchPicker id={message.id} siblings={siblings} onChoose={(id) => onChoose?.(message, id)} />
            <MessageActions message={message} question={question} disabled={disabled}
              onRegenerate={onRegenerate && ((provider) => onRegenerate(message, provider))} />
          </Later>
        </Stack>
      )}
    </Box>
  );
}

const SX = { scrollMarginTop: 16 };
/** Not of messages near the visible area: the browser would find their heights only after the frame's scrolling was settled. */
const FAR = { contentVisibility: 'auto', containIntrinsicSize: 'auto 160px' } as const;
const GRID = 420;

/** The estimated height of a message that was not rendered yet, so that the scroll bar does not jump. */
function usualHeight(message: DataChatMessage): number | undefined {
  const steps = metadataOf(message)?.stepResults ?? [];
  if (message.role === 'user') return undefined;
  const calls = 40 * settledCalls(metadataOf(message)).length;
  return steps.reduce((sum, step) => sum + 190 + Math.min(GRID, 33 * (step.sqlResult?.rowCount ?? 0)), 180 + calls);
}

/** A question or an answer. Its expensive parts are rendered only near the visible area. */
export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  const { message, siblings = [], onChoose, onEdit, editing, onEditing, onResized, disabled, latest } = props;
  const place = useRef<HTMLDivElement>(null);
  const { near, height, keep } = useNearby(place, latest);
  const was = useRef(near);
  useLayoutEffect(() => {
    if (was.current !== near) onResized?.(); // the estimate of its height was wrong
    was.current = near;
  }, [near, onResized]);
  return (
    <Box ref={place} id={`m-${message.id}`} onClick={keep} onInput={keep} sx={SX}
      style={near ? undefined : { ...FAR, minHeight: height ?? usualHeight(message) }}>
      {message.role === 'assistant' ? (
        <ErrorBoundary at={message.status} instead={(error) => <PartFailed error={error} />}>
          <Answer {...props} near={near} />
        </ErrorBoundary>
      ) : (
        <UserMessage content={message.content} disabled={disabled} textOnly={!near}
          onEdit={onEdit && ((content) => onEdit(message, content))}
          editing={editing} onEditing={(on) => onEditing?.(on ? message.id : null)}>
          <BranchPicker id={message.id} siblings={siblings} onChoose={(id) => onChoose?.(message, id)} />
        </UserMessage>
      )}
    </Box>
  );
});
