import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, memo, useMemo } from 'react';
import type { DataAgentStreamEvent, DataChatMessage, JoinPlan } from '../../api/types';
import { AGENTS, type Agent } from '../../utils/agents';
import { settledCalls, type LoopCall, type LoopRound } from '../../utils/toolLoop';
import { LazyPart } from '../common/LazyPart';
import { InsightsSection } from './InsightsSection';
import {
  extractPhaseDetails, extractPlan, extractStepStatuses, latestMetadata,
} from './insightsUtils';
import { LineageDetails } from '../results/LineageDetails';
import { useTraceCards } from '../../hooks/useTraceCards';
import { costsByPhase } from '../../utils/traces';
import { LlmTracesSection } from './LlmTracesSection';
import { PhaseDetails } from './PhaseDetails';
import { PlanSteps } from './PlanSteps';
import { ChatTotal } from './ChatTotal';
import { StatsRow } from './StatsRow';
import { ToolCallAccordion } from './ToolCallAccordion';
import { VerificationChecks } from '../results/VerificationChecks';

const JoinGraph = lazy(() => import('./JoinGraph'));

export interface AgentInsightsPanelProps {
  messages?: DataChatMessage[];
  streamEvents?: DataAgentStreamEvent[];
  isStreaming: boolean;
  agent?: Agent;
  /** The answer in progress. */
  rounds?: LoopRound[];
  /** The question, where the panel is not about the latest answer. */
  about?: string;
  onClose?: () => void;
}

const JOIN_GRAPH = 260;

const NO_EVENTS: DataAgentStreamEvent[] = [];
const NO_MESSAGES: DataChatMessage[] = [];
const NO_ROUNDS: LoopRound[] = [];

function joinPlanOf(events: DataAgentStreamEvent[], messages: DataChatMessage[]): JoinPlan | null {
  const live = events.findLast((e) => e.type === 'phase_artifact' && e.phase === 'navigator');
  if (live?.type === 'phase_artifact') {
    const artifact = live.artifact as Partial<JoinPlan>;
    return artifact.joinPaths ? (artifact as JoinPlan) : null;
  }
  return latestMetadata(messages)?.joinPlan ?? null;
}

function ToolCalls({ calls }: { calls: LoopCall[] }) {
  if (calls.length === 0)
    return <Typography variant="caption" color="textSecondary">No tool was called.</Typography>;
  return calls.map((call, i) => <ToolCallAccordion key={i} level={4} toolCall={call} />);
}

/** What the agent is doing, or what it did for the latest answer. What has its size from the beginning is first, then what arrives, in the order in which it does: little moves. */
export const AgentInsightsPanel = memo(function AgentInsightsPanel(props: AgentInsightsPanelProps) {
  const { messages = NO_MESSAGES, agent = 'pipeline', rounds = NO_ROUNDS, isStreaming, onClose } = props;
  const events = isStreaming ? (props.streamEvents ?? NO_EVENTS) : NO_EVENTS;
  const past = isStreaming ? NO_MESSAGES : messages;
  const metadata = useMemo(() => latestMetadata(past), [past]);
  const plan = useMemo(() => extractPlan(events, past), [events, past]);
  const steps = useMemo(() => extractStepStatuses(events, past), [events, past]);
  const details = useMemo(() => extractPhaseDetails(events, past, AGENTS[agent].phases), [events, past, agent]);
  const calls = useMemo(
    () => (isStreaming ? rounds.flatMap((round) => round.calls) : settledCalls(metadata)),
    [isStreaming, rounds, metadata],
  );
  const joinPlan = useMemo(() => joinPlanOf(events, past), [events, past]);
  const loops = AGENTS[agent].phases.length === 0;
  const answer = messages.findLast((m) => m.role === 'assistant');
  const { cards } = useTraceCards(answer?.chatId ?? '', answer?.id ?? '', events, isStreaming);
  const costs = useMemo(() => costsByPhase(cards), [cards]);
  return (
    <Box component="aside" aria-label="Insights" sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', px: 2, minHeight: 56, borderBottom: 1, borderColor: 'divider' }}>
        <Typography variant="subtitle1" component="h2" sx={{ flex: 1, fontWeight: 600 }}>Insights</Typography>
        {props.about && <Typography variant="caption" color="textSecondary" noWrap title={props.about} sx={{ flex: 2, minWidth: 0 }}>{props.about}</Typography>}
        {onClose && <IconButton aria-label="Close insights" onClick={onClose}><Close /></IconButton>}
      </Box>
      <Box tabIndex={0} role="region" aria-label="Details of the answer" sx={{ overflowY: 'auto', p: 2, flex: 1, minHeight: 0 }}>
        {!loops && <InsightsSection title="Phase Details"><PhaseDetails details={details} plan={plan} costs={costs} /></InsightsSection>}
        <StatsRow events={events} metadata={metadata} isStreaming={isStreaming}
          toolCalls={loops ? calls.length : undefined} />
        {plan && plan.steps.length > 0 && (
          <InsightsSection title="Execution Plan"><PlanSteps plan={plan} statuses={steps} /></InsightsSection>
        )}
        {joinPlan && joinPlan.joinPaths.some((path) => path.edges.length > 0) && (
          <InsightsSection title="Join Graph">
            <LazyPart fallback={<Skeleton variant="rounded" height={JOIN_GRAPH} />}><JoinGraph joinPlan={joinPlan} height={JOIN_GRAPH} /></LazyPart>
          </InsightsSection>
        )}
        {loops && answer && <InsightsSection title="Tool Calls"><ToolCalls calls={calls} /></InsightsSection>}
        {answer && <LlmTracesSection chatId={answer.chatId} messageId={answer.id} streamEvents={events} isStreaming={isStreaming} />}
        {metadata?.verificationReport && (
          <InsightsSection title={`Verification: ${metadata.verificationReport.passed ? 'passed' : 'not verified'}`}>
            <VerificationChecks report={metadata.verificationReport} />
          </InsightsSection>
        )}
        {metadata?.dataLineage && (
          <InsightsSection title="Data Lineage"><LineageDetails lineage={metadata.dataLineage} /></InsightsSection>
        )}
        {answer && !isStreaming && <ChatTotal chatId={answer.chatId} answerId={answer.id} />}
      </Box>
    </Box>
  );
});
