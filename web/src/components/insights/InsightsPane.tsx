import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import type { DataAgentStreamEvent, DataChatMessage } from '../../api/types';
import { useAfterwards } from '../../hooks/useAfterwards';
import { useWholeMessage } from '../../hooks/useWholeMessage';
import { BESIDE, INSIGHTS_WIDTH } from '../../theme/theme';
import type { Shown } from '../../utils/branches';
import type { Agent } from '../../utils/agents';
import type { LoopRound } from '../../utils/toolLoop';
import { ErrorBoundary } from '../common/ErrorBoundary';
import { PartFailed } from '../common/PartFailed';
import { AgentInsightsPanel } from './AgentInsightsPanel';
import { INSIGHTS_BUTTON } from '../chat/ChatHeader';

interface InsightsPaneProps {
  open: boolean;
  onClose: () => void;
  chatId: string;
  messages: Shown[];
  /** The answer that is being read; null: the latest. */
  read?: string | null;
  streamEvents: DataAgentStreamEvent[];
  isStreaming: boolean;
  agent: Agent | undefined;
  rounds: LoopRound[];
}

/** When the panel closes with the focus inside, the focus moves to the button that opens it. */
function Beside({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const here = box.current;
    return () => {
      if (here?.querySelector(':focus-visible')) document.getElementById(INSIGHTS_BUTTON)?.focus();
    };
  }, []);
  return (
    <Box ref={box} sx={{ width: INSIGHTS_WIDTH, flex: 'none', borderLeft: 1, borderColor: 'divider', bgcolor: 'background.paper', height: '100%' }}>
      {children}
    </Box>
  );
}

interface OlderAnswerProps {
  answer: DataChatMessage;
  question?: string;
  agent: Agent | undefined;
  onClose: () => void;
}

/** The panel of an answer that is not the latest one. */
function OlderAnswer({ answer, question, agent, onClose }: OlderAnswerProps) {
  const { message } = useWholeMessage(answer, true);
  const messages = useMemo(() => [message], [message]);
  return <AgentInsightsPanel messages={messages} isStreaming={false} agent={agent} about={question} onClose={onClose} />;
}

/** Next to the chat on a wide screen, over it on a tablet, instead of it on a phone. */
export function InsightsPane({ open, onClose, messages, read = null, streamEvents, isStreaming, agent, rounds }: InsightsPaneProps) {
  const wide = useMediaQuery(BESIDE);
  const phone = useMediaQuery('(max-width:599px)');
  const all = useMemo(() => messages.map((m) => m.message), [messages]);
  const now = useMemo(() => ({ all, streamEvents, isStreaming, rounds, read }), [all, streamEvents, isStreaming, rounds, read]);
  // Typing and the conversation have priority. An answer and what explains it in one commit would be a long task.
  const shown = useAfterwards(now);
  // Its place is there at once, so that the conversation moves with the click and not after it.
  const filled = useDeferredValue(open, false);
  if (!open) return null;
  const at = shown.all.findIndex((message) => message.id === shown.read);
  const older = at > 0 ? shown.all[at] : undefined;
  const details = older ? (
    <OlderAnswer key={older.id} answer={older} question={shown.all[at - 1]?.content} agent={agent} onClose={onClose} />
  ) : (
    <AgentInsightsPanel messages={shown.all} streamEvents={shown.streamEvents} isStreaming={shown.isStreaming}
      agent={agent} rounds={shown.rounds} onClose={onClose} />
  );
  const panel = (
    <ErrorBoundary at={`${older?.id} ${shown.isStreaming}`} instead={(error) => <PartFailed error={error} />}>{details}</ErrorBoundary>
  );
  if (wide) return <Beside>{filled && panel}</Beside>;
  return (
    <Drawer open anchor="right" onClose={onClose} slotProps={{ paper: { 'aria-label': 'Insights', sx: { width: phone ? '100%' : INSIGHTS_WIDTH } } }}>
      {panel}
    </Drawer>
  );
}
