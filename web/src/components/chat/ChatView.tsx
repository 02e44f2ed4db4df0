import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { metadataOf, type DataChatMessage, type ProviderId } from '../../api/types';
import { useDataAgentPreferences } from '../../hooks/useDataAgentPreferences';
import type { useDataChat } from '../../hooks/useDataChat';
import { useEarlier } from '../../hooks/useEarlier';
import { useEditing } from '../../hooks/useEditing';
import { useHandedQuestion } from '../../hooks/useHandedQuestion';
import { useMessageLink } from '../../hooks/useMessageLink';
import { useModelUnits } from '../../hooks/useModelGraph';
import { useMay } from '../../hooks/useSession';
import { useExamples } from '../../hooks/useOntologies';
import { useQueue } from '../../hooks/useQueue';
import { useReadMessage } from '../../hooks/useReadMessage';
import { useShortcuts } from '../../hooks/useShortcuts';
import { useFollowAnswer } from '../../hooks/useFollowAnswer';
import { AGENTS } from '../../utils/agents';
import { activityOf } from '../../utils/toolLoop';
import { AskContext } from '../common/askContext';
import { ErrorCard } from '../common/ErrorCard';
import { Later, useBegun } from '../common/Later';
import { isMissing, Missing } from '../common/Missing';
import { MAIN } from '../common/SkipLink';
import { ChatInput } from './ChatInput';
import { ConnectionBanner } from './ConnectionBanner';
import { FollowUps } from './FollowUps';
import { extractStartedAt } from '../insights/insightsUtils';
import { MessageList } from './MessageList';
import { QueuedQuestions } from './QueuedQuestions';
import { ModelSelector } from './ModelSelector';
import { UnsentQuestion } from './PendingQuestion';
import { PreferenceSuggestionBanner } from '../preferences/PreferenceSuggestionBanner';
import { UnitsContext } from '../results/answerContext';
import { RunProgress } from '../insights/RunProgress';
import { StreamAnnouncer } from './StreamAnnouncer';

type ChatState = ReturnType<typeof useDataChat>;

interface ChatViewProps {
  state: ChatState;
  header: ReactNode;
  onProvider: (provider: ProviderId | null) => void;
  /** The answer that is being read; null: the latest. */
  onRead?: (id: string | null) => void;
}

interface Failed {
  title: string;
  error: unknown;
  again: () => void;
  /** Of the user, if it did not reach the server. */
  question?: string;
}

const NOT_SENT = 'The question was not sent';

/** Of the input with one line. */
const INPUT_HEIGHT = 91;

/** The actions of the chat. An error stays visible with a button to retry. */
function useActs({ sendMessage, regenerate, stop }: ChatState, follow: () => void) {
  const [failed, setFailed] = useState<Failed | null>(null);
  const attempt = useCallback((title: string, act: () => Promise<void>, question?: string) => {
    setFailed(null);
    act().catch((error: unknown) => setFailed({ title, error, again: () => attempt(title, act, question), question }));
  }, []);
  const forget = useCallback(() => setFailed(null), []);
  const onSend = useCallback(
    (content: string) => {
      follow();
      attempt(NOT_SENT, () => sendMessage(content), content);
    },
    [attempt, sendMessage, follow],
  );
  const onEdit = useCallback(
    (message: DataChatMessage, content: string) =>
      attempt(NOT_SENT, () => sendMessage(content, message.parentId)),
    [attempt, sendMessage],
  );
  const onRegenerate = useCallback(
    (message: DataChatMessage, provider?: ProviderId) =>
      attempt('The question was not asked again', () => regenerate(message.id, provider)),
    [attempt, regenerate],
  );
  const onStop = useCallback(() => attempt('The answer could not be stopped', stop), [attempt, stop]);
  return { failed, forget, onSend, onEdit, onRegenerate, onStop };
}

function Suggestions({ state, ontologyId }: { state: ChatState; ontologyId: string }) {
  const { save } = useDataAgentPreferences(ontologyId, false);
  const [dismissed, setDismissed] = useState<string[]>([]);
  const left = state.suggestions.filter((s) => !dismissed.includes(s.key));
  const drop = (key: string) => setDismissed((before) => [...before, key]);
  const onSave = async (key: string, value: string) => {
    await save(key, value, 'auto_captured');
    drop(key);
  };
  return <PreferenceSuggestionBanner suggestions={left} ontologyId={ontologyId} onSave={onSave} onDismiss={drop} />;
}

/** A chat: its messages, the progress of the current answer, and the input. */
export function ChatView({ state, header, onProvider, onRead }: ChatViewProps) {
  const { chat, path, pending, isStreaming, store, refusal } = state;
  const { box, inner, room, onScroll, away, follow, toEnd, settle } = useFollowAnswer(chat?.id);
  const acts = useActs(state, follow);
  const reading = useReadMessage(box, path);
  useEffect(() => onRead?.(reading.read), [onRead, reading.read]);
  const scrolled = () => {
    onScroll();
    reading.onScroll();
  };
  useHandedQuestion(chat, acts.onSend);
  const mayWrite = useMay('data_agent:write');
  const earlier = useEarlier(box, {
    fetch: state.hasEarlier ? state.fetchEarlier : undefined, firstId: path[0]?.message.id,
  });
  useMessageLink(state, earlier.load);
  const begun = useBegun(); // the input will take the focus
  useEffect(() => {
    // The focused element disappeared with its message.
    if (begun && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [begun, box, path]);
  const { editing, edit } = useEditing();
  const lastId = path.findLast(({ message }) => message.role === 'user')?.message.id;
  const onEditLast = useCallback(() => edit(lastId ?? null), [edit, lastId]);
  useShortcuts(useMemo(() => ({ Escape: isStreaming ? acts.onStop : undefined }), [isStreaming, acts.onStop]));
  useEffect(() => {
    if (chat) document.title = `${chat.name} · Sextant`;
  }, [chat]);

  const last = path.at(-1)?.message;
  const queue = useQueue(chat?.id, isStreaming, last?.status === 'complete' && !acts.failed, acts.onSend);
  const refused = last?.status === 'complete' && (metadataOf(last)?.stepResults ?? []).length === 0;
  const examples = useExamples(refused ? chat?.ontologyId : undefined);
  const askable = useMemo(
    () => (mayWrite && !isStreaming && examples ? { questions: new Set(examples.map(({ prompt }) => prompt)), ask: acts.onSend } : null),
    [mayWrite, isStreaming, examples, acts.onSend],
  );
  const units = useModelUnits(chat);
  const startedAt = extractStartedAt(state.streamEvents);
  const agent = chat?.agent ?? 'pipeline';
  /** An answer whose start the server refused is asked for again. */
  const refusedStart: Failed | null = refusal && last?.status === 'generating'
    ? { title: 'The answer could not be started', error: refusal, again: () => acts.onRegenerate(last) } : null;
  const failed = acts.failed ?? refusedStart;
  return (
    <Box component="main" id={MAIN} sx={{ display: 'flex', flexDirection: 'column', height: '100%', minWidth: 0, flex: 1 }}>
      {header}
      <StreamAnnouncer phase={state.phaseProgress.current} activity={AGENTS[agent].phases.length > 0 ? '' : activityOf(state.rounds)} streaming={isStreaming} answer={path.at(-1)?.message} />
      <Box sx={{ position: 'relative', flex: 1, minHeight: 0 }}>
        <Box ref={box} data-scrolls onScroll={scrolled} tabIndex={0} role="region" aria-label="Conversation" sx={{ height: '100%', overflowY: 'auto', px: 2, '&:focus': { outline: 'none' }, '&:focus-visible': { boxShadow: (t) => `inset 3px 0 0 ${t.vars?.palette.primary.main ?? t.palette.primary.main}` } }}>
          <Box ref={inner} sx={{ maxWidth: 860, mx: 'auto', py: 2, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
            {state.isLoading && <Skeleton variant="rounded" height={120} />}
            {isMissing(state.error) && <Missing what="chat" to="/agent" way="To the chats" />}
            {state.error && !chat && !isMissing(state.error) && (
              <ErrorCard title="The chat could not be loaded" error={state.error} onRetry={() => void state.refetch()} />
            )}
            {Boolean(earlier.error) && <ErrorCard title="Earlier messages could not be loaded" error={earlier.error} onRetry={earlier.load} />}
            <UnitsContext value={units}><AskContext value={askable}><MessageList
              path={path} pending={pending} store={store} busy={isStreaming}
              onEarlier={state.hasEarlier ? earlier.load : undefined}
              onChoose={state.choose} onResized={settle}
              editing={editing} onEditing={edit}
              onEdit={mayWrite ? acts.onEdit : undefined}
              onRegenerate={mayWrite ? acts.onRegenerate : undefined}
              onSend={mayWrite ? acts.onSend : undefined}
            /></AskContext></UnitsContext>
            {chat && mayWrite && !isStreaming && <FollowUps chat={chat} path={path} onAsk={acts.onSend} />}
            {chat && state.suggestions.length > 0 && <Suggestions state={state} ontologyId={chat.ontologyId} />}
            {failed?.question !== undefined && !isStreaming && (
              <UnsentQuestion content={failed.question} error={failed.error} onRetry={failed.again} onDiscard={acts.forget} />
            )}
            {failed && failed.question === undefined && <ErrorCard title={failed.title} error={failed.error} onRetry={failed.again} />}
          </Box>
          {/* The text in view keeps its place, not this. */}
          <div ref={room} style={{ overflowAnchor: 'none' }} />
        </Box>
      </Box>
      {/* Not above the conversation, which it would move. */}
      <ConnectionBanner connection={state.connection} streaming={isStreaming} waiting={state.waiting} />
      {isStreaming && <RunProgress agent={agent} progress={state.phaseProgress} rounds={state.rounds} startedAt={startedAt} />}
      {mayWrite && chat && (
        <Box sx={{ px: 2, pb: 'max(12px, env(safe-area-inset-bottom))', pt: 1 }}>
          <Box sx={{ maxWidth: 860, mx: 'auto', minHeight: INPUT_HEIGHT }}>
            <Later>
              <QueuedQuestions queue={queue.queue} busy={isStreaming} onDrop={queue.drop} onNext={queue.next} />
              <ChatInput place={chat.id} onSend={acts.onSend} onStop={acts.onStop} isStreaming={isStreaming} autoFocus
                onQueue={queue.isFull ? undefined : queue.add}
                onEditLast={lastId && !isStreaming ? onEditLast : undefined}
                onEnd={away ? toEnd : undefined}>
                <ModelSelector value={chat.llmProvider} onChange={onProvider} disabled={isStreaming} />
              </ChatInput>
            </Later>
          </Box>
        </Box>
      )}
    </Box>
  );
}
