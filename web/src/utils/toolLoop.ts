/**
 * The rounds of an agent that works in a loop. In each round the model writes text, calls tools,
 * and reads their results. The last reply has no calls; it is the answer and not a round.
 */
import type { DataAgentStreamEvent, Metadata, ToolCall } from '../api/types';
import { getToolActivity } from './phases';

export interface LoopCall extends Omit<ToolCall, 'result'> {
  toolCallId: string;
  result?: string;
  error?: string;
  running: boolean;
  /** The call is from a finished answer. Early metadata do not say whether ReAct's calls succeeded. */
  past?: boolean;
}

export interface LoopRound {
  /** The text that the model wrote before the calls. */
  words: string;
  calls: LoopCall[];
  /** The tokens of this round were counted: the next call belongs to a new round. */
  over: boolean;
}

function withLast(rounds: LoopRound[], change: (last: LoopRound) => LoopRound): LoopRound[] {
  const last = rounds.at(-1);
  return last ? [...rounds.slice(0, -1), change(last)] : rounds;
}

/** Ids are unique only within a round, so an id means the latest running call. */
function settle(calls: LoopCall[], id: string, outcome: Pick<LoopCall, 'result' | 'error'>): LoopCall[] {
  const at = calls.findLastIndex((call) => call.running && call.toolCallId === id);
  return calls.map((call, i) => (i === at ? { ...call, ...outcome, running: false } : call));
}

export interface LoopState {
  rounds: LoopRound[];
  /** The text in progress: the beginning of a round, or of the answer. */
  content: string;
}

/** The rounds after one more event; events of other types do not change them. */
export function applyLoopEvent<S extends LoopState>(state: S, event: DataAgentStreamEvent): S {
  const { rounds, content } = state;
  const open = content === '' && rounds.at(-1)?.over === false;
  switch (event.type) {
    case 'tool_call': {
      const { toolCallId, name, args } = event;
      const call = { toolCallId, name, args, running: true };
      if (open) return { ...state, rounds: withLast(rounds, (r) => ({ ...r, calls: [...r.calls, call] })) };
      return { ...state, content: '', rounds: [...rounds, { words: content, calls: [call], over: false }] };
    }
    case 'tool_result': {
      const { toolCallId, result, error } = event;
      const outcome = error === undefined ? { result } : { result, error };
      return { ...state, rounds: withLast(rounds, (r) => ({ ...r, calls: settle(r.calls, toolCallId, outcome) })) };
    }
    case 'text':
      // The text of a round is repeated in full after its results.
      if (open) return { ...state, rounds: withLast(rounds, (r) => ({ ...r, words: event.content })) };
      return { ...state, content: event.content };
    case 'token_update':
      return open ? { ...state, rounds: withLast(rounds, (r) => ({ ...r, over: true })) } : state;
    default:
      return state;
  }
}

/** The calls of a finished answer, without those of phases. */
export function settledCalls(metadata: Metadata | null): LoopCall[] {
  const calls: ToolCall[] = metadata?.toolCalls ?? [];
  return calls.flatMap(({ toolCallId, ...call }) =>
    toolCallId === undefined ? [] : { ...call, toolCallId, running: false, past: true });
}

/** The current activity of the agent. */
export function activityOf(rounds: LoopRound[]): string {
  const running = rounds.at(-1)?.calls.filter((call) => call.running) ?? [];
  const activities = new Set(running.map((call) => getToolActivity(call.name)));
  return [...activities].join(', ') || 'Thinking';
}
