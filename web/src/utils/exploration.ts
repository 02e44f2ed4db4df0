/** What the chunks of an exploration's stream add up to. Pure. */

export type ToolName = 'executeSQLQuery' | 'createVisualization' | 'profileData' | 'validateAnalysis';

export interface ChartKept {
  id: string;
  chartType: string;
  title: string;
  spec: Record<string, unknown>;
  sqlQuery: string;
}

/** The chunk `data-exploration`: the result. */
export interface Exploration {
  status: 'exploration_complete' | 'error';
  summary: string;
  insights: string[];
  executedQueries: { query: string; reason: string; result: { columns: string[]; rows: unknown[][] } }[];
  charts: ChartKept[];
  metadata: { stepCount: number; tokensUsed: number; durationMs: number };
  error?: { code: string; message: string };
}

export type Chunk =
  | { type: 'start'; messageId: string }
  | { type: 'start-step' | 'finish-step' | 'finish' }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: Record<string, unknown> }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'data-refused'; id: string; data: { toolName: string; input?: Record<string, unknown>; output?: { error?: string; hint?: string } } }
  | { type: 'data-exploration'; id: string; data: Exploration }
  | { type: 'error'; errorText: string };

export interface Call {
  id: string;
  tool: string;
  input: Record<string, unknown>;
  state: 'running' | 'done' | 'failed';
  error: string | null;
  output: unknown;
}

export interface Step {
  text: string;
  calls: Call[];
}

export interface Progress {
  state: 'running' | 'done' | 'failed';
  steps: Step[];
  found: Exploration | null;
  error: string | null;
}

export const BEGUN: Progress = { state: 'running', steps: [], found: null, error: null };
const STEPS_MOST = 40;

function lastStep(p: Progress, change: (step: Step) => Step): Progress {
  const steps = p.steps.length > 0 ? p.steps : [{ text: '', calls: [] }];
  return { ...p, steps: [...steps.slice(0, -1), change(steps.at(-1)!)] };
}

function changeCall(p: Progress, id: string, change: Partial<Call>): Progress {
  return {
    ...p,
    steps: p.steps.map((step) =>
      step.calls.some((call) => call.id === id)
        ? { ...step, calls: step.calls.map((call) => (call.id === id ? { ...call, ...change } : call)) }
        : step),
  };
}

function addCall(p: Progress, call: Call): Progress {
  if (p.steps.some((step) => step.calls.some(({ id }) => id === call.id))) return p;
  return lastStep(p, (step) => ({ ...step, calls: [...step.calls, call] }));
}

/** Chunks that it does not know change nothing. */
export function apply(p: Progress, chunk: Chunk): Progress {
  switch (chunk.type) {
    case 'start':
      return BEGUN; // also of a replay
    case 'start-step':
      return p.steps.length >= STEPS_MOST ? p : { ...p, steps: [...p.steps, { text: '', calls: [] }] };
    case 'text-delta':
      return lastStep(p, (step) => ({ ...step, text: step.text + chunk.delta }));
    case 'tool-input-available':
      return addCall(p, { id: chunk.toolCallId, tool: chunk.toolName, input: chunk.input ?? {}, state: 'running', error: null, output: null });
    case 'tool-output-available':
      return changeCall(p, chunk.toolCallId, { state: 'done', output: chunk.output });
    case 'tool-output-error':
      return changeCall(p, chunk.toolCallId, { state: 'failed', error: chunk.errorText });
    case 'data-refused': {
      const { toolName, input, output } = chunk.data;
      return addCall(p, { id: chunk.id, tool: toolName, input: input ?? {}, state: 'failed', error: output?.error ?? 'It was refused.', output: null });
    }
    case 'data-exploration':
      return { ...p, found: chunk.data };
    case 'finish':
      return { ...p, state: 'done' };
    case 'error':
      return { ...p, state: 'failed', error: chunk.errorText };
    default:
      return p;
  }
}

/** The text that the model wrote last: its summary while the result has not arrived. */
export function lastText(p: Progress): string {
  return p.steps.findLast((step) => step.text.trim())?.text ?? '';
}

export const TOOL_NAMES: Record<string, string> = {
  executeSQLQuery: 'Query', createVisualization: 'Chart', profileData: 'Profile', validateAnalysis: 'Check of a finding',
};

/** The queries of the model that ran, each once, with what they were for. Those that the server built for profiles and checks are no one's reading. `ran` gives the SQL of a call that had a result. */
export function ownQueries(progress: Progress, ran: (id: string) => string | undefined, reveal: (text: string) => string): { sql: string; reason: string }[] {
  const reasons = new Map<string, string[]>();
  for (const call of progress.steps.flatMap((step) => step.calls)) {
    const related = typeof call.input.relatedQuery === 'string' ? reveal(call.input.relatedQuery) : undefined;
    const own = call.tool === 'executeSQLQuery' || call.tool === 'createVisualization' ? ran(call.id) : call.tool === 'validateAnalysis' ? related : undefined;
    if (!own || call.state !== 'done') continue;
    const known = reasons.get(own) ?? [];
    const reason = reveal(reasonOf(call));
    reasons.set(own, known.includes(reason) || !reason ? known : [...known, reason]);
  }
  return [...reasons].map(([sql, list]) => ({ sql, reason: list.join('; ') }));
}

/** Why the call was made, in the model's words. */
export function reasonOf({ tool, input }: Call): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  if (tool === 'createVisualization') return text(input.title);
  if (tool === 'validateAnalysis') return text(input.finding);
  if (tool === 'profileData') return Array.isArray(input.columns) ? input.columns.filter((c) => typeof c === 'string').join(', ') : '';
  return text(input.reason);
}
