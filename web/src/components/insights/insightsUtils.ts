/** The content of the insights panel, from the events of an answer in progress or the metadata of a finished one. */
import { metadataOf, planOf } from '../../api/types';
import type {
  DataAgentStreamEvent, DataChatMessage, Metadata, Phase, Plan, TokensUsed,
} from '../../api/types';
import { PHASES } from '../../utils/phases';
import { studyOf } from '../../utils/study';
import { BUILT_IN } from '../../utils/traces';

type Events = DataAgentStreamEvent[];
type EventOf<T extends DataAgentStreamEvent['type']> = Extract<DataAgentStreamEvent, { type: T }>;

export type StepState = 'pending' | 'running' | 'complete' | 'failed';

export interface StepStatus {
  stepId: number;
  status: StepState;
  summary: string | null;
}

export interface PhaseToolCall {
  name: string;
  stepId?: number;
  args?: unknown;
  result?: string;
  error?: string;
  running: boolean;
  /** The call is from a finished answer. Metadata do not say whether a phase's call succeeded, nor did early ones of ReAct's. */
  past?: boolean;
}

export interface PhaseDetail {
  phase: Phase;
  status: 'pending' | 'active' | 'complete';
  toolCalls: PhaseToolCall[];
}

function of<T extends DataAgentStreamEvent['type']>(events: Events, type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The metadata of the latest answer that has them. */
export function latestMetadata(messages: DataChatMessage[]): Metadata | null {
  const answer = messages.findLast((m) => m.role === 'assistant' && metadataOf(m));
  return answer ? metadataOf(answer) : null;
}

export function extractPlan(events: Events, messages: DataChatMessage[]): Plan | null {
  const artifact = of(events, 'phase_artifact').findLast((e) => e.phase === 'planner')?.artifact;
  return (artifact as Plan | undefined) ?? planOf(latestMetadata(messages));
}

function rows(count: number | undefined | null): string | null {
  return count === undefined || count === null
    ? null
    : `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}

function settledSteps(metadata: Metadata | null): StepStatus[] {
  return (metadata?.stepResults ?? []).map((step) => ({
    stepId: step.stepId,
    status: step.error ? 'failed' : 'complete',
    summary: step.error || rows(step.sqlResult?.rowCount),
  }));
}

export function extractStepStatuses(events: Events, messages: DataChatMessage[]): StepStatus[] {
  const steps = new Map<number, StepStatus>();
  for (const event of events) {
    if (event.type === 'step_start')
      steps.set(event.stepId, { stepId: event.stepId, status: 'running', summary: null });
    if (event.type === 'step_complete')
      steps.set(event.stepId, {
        stepId: event.stepId,
        status: event.error ? 'failed' : 'complete',
        summary: event.error ?? null,
      });
  }
  return steps.size > 0 ? [...steps.values()] : settledSteps(latestMetadata(messages));
}

function liveCalls(events: Events, phase: Phase): PhaseToolCall[] {
  const calls: PhaseToolCall[] = [];
  const open = (e: { name: string; stepId?: number }) =>
    calls.find((c) => c.running && c.name === e.name && c.stepId === e.stepId);
  for (const event of events) {
    if (!('phase' in event) || event.phase !== phase) continue;
    if (event.type === 'tool_start')
      calls.push({ name: event.name, stepId: event.stepId, args: event.args, running: true });
    const call = event.type === 'tool_end' || event.type === 'tool_error' ? open(event) : undefined;
    if (!call) continue;
    call.running = false;
    if (event.type === 'tool_end') call.result = event.result;
    if (event.type === 'tool_error') call.error = event.error;
  }
  return calls;
}

function livePhase(events: Events, phase: Phase): PhaseDetail['status'] {
  const last = events.findLast(
    (e) => (e.type === 'phase_start' || e.type === 'phase_complete') && e.phase === phase,
  );
  if (!last) return 'pending';
  return last.type === 'phase_start' ? 'active' : 'complete';
}

/** What the scientist's phases left. */
function studied(metadata: Metadata): Partial<Record<Phase, unknown>> {
  const study = studyOf(metadata);
  const failed = study?.outputType === 'error';
  return {
    plan: study?.plan, code: study?.code, evaluate: study?.evaluation,
    explain: study && !failed ? study : undefined, error: failed || undefined,
  };
}

function settledPhase(metadata: Metadata, phase: Phase): PhaseDetail {
  const calls = (metadata.toolCalls ?? []).filter((call) => call.phase === phase);
  const reached: Partial<Record<Phase, unknown>> = {
    planner: metadata.plan,
    navigator: metadata.joinPlan ?? metadata.cannotAnswer,
    sql_builder: metadata.querySpecs,
    executor: metadata.stepResults,
    verifier: metadata.verificationReport,
    explainer: metadata.explainerOutput ?? metadata.dataLineage,
    react: undefined,
    ...studied(metadata),
  };
  return {
    phase,
    status: reached[phase] || calls.length > 0 ? 'complete' : 'pending',
    toolCalls: calls.map((call) => ({ ...call, running: false, past: true })),
  };
}

export function extractPhaseDetails(events: Events, messages: DataChatMessage[], phases = PHASES): PhaseDetail[] {
  const metadata = latestMetadata(messages);
  if (events.length === 0 && metadata) return phases.map((phase) => settledPhase(metadata, phase));
  return phases.map((phase) => ({
    phase,
    status: livePhase(events, phase),
    toolCalls: liveCalls(events, phase),
  }));
}

/** Each phase reports its own tokens; an agent without phases reports the sum so far. */
export function extractLiveTokens(events: Events): TokensUsed {
  const updates = of(events, 'token_update');
  const sumSoFar = updates.findLast((update) => update.phase === undefined);
  if (sumSoFar) return sumSoFar.tokensUsed;
  const sum: TokensUsed = { prompt: 0, completion: 0, total: 0 };
  for (const { tokensUsed } of updates) {
    sum.prompt += tokensUsed.prompt;
    sum.completion += tokensUsed.completion;
    sum.total += tokensUsed.total;
    for (const part of ['cached', 'reasoning', 'cost'] as const) {
      if (tokensUsed[part] !== undefined) sum[part] = (sum[part] ?? 0) + tokensUsed[part];
    }
  }
  return sum;
}

/** The number of model calls so far. */
export function countModelCalls(events: Events): number {
  return of(events, 'llm_call_start').filter(({ provider }) => provider !== BUILT_IN).length;
}

export function extractStartedAt(events: Events): number | null {
  return of(events, 'message_start')[0]?.startedAt ?? null;
}

/** Milliseconds as m:ss. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The duration of what has ended; short ones with tenths of a second, very short ones in milliseconds. */
export function formatTaken(ms: number): string {
  if (ms < 100) return ms < 1 ? '< 1 ms' : `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms);
}

/** An amount in the operator's currency, which is never named: "1.25", "0.0031". */
export function formatCost(cost: number): string {
  const digits = cost >= 1 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
  return cost.toLocaleString('en-US', digits);
}

export function formatTokenCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** The phase in which a failed answer of the pipeline stopped: the first one without a result. Null: it is not known. */
export function failedPhase(metadata: Metadata): Phase | null {
  if (!planOf(metadata)) return null;
  const results: [Phase, unknown][] = [
    ['navigator', metadata.joinPlan ?? metadata.cannotAnswer], ['sql_builder', metadata.querySpecs],
    ['executor', metadata.stepResults], ['verifier', metadata.verificationReport], ['explainer', metadata.explainerOutput],
  ];
  return results.find(([, result]) => !result)?.[0] ?? null;
}
