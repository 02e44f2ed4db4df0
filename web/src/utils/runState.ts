/** The state of an answer, computed from its events so far. */
import type { DataAgentStreamEvent, MessageStatus, Metadata, Phase } from '../api/types';
import { phasesWith } from './phases';
import { applyLoopEvent, type LoopRound } from './toolLoop';

export interface PhaseProgress {
  current: Phase | null;
  completed: Phase[];
}

export interface Suggestion {
  key: string;
  value: string;
  question?: string;
}

export interface RunState {
  /** All events except the pieces of text, which are in `content`. */
  events: DataAgentStreamEvent[];
  /** The text in progress. */
  content: string;
  /** For an agent that works in a loop: the rounds so far. */
  rounds: LoopRound[];
  phaseProgress: PhaseProgress;
  status: MessageStatus;
  metadata: Metadata | null;
  error: { message: string; code: string } | null;
  /** The reason why the run waits, or null. */
  waiting: string | null;
  suggestions: Suggestion[];
  autoSaved: Suggestion[];
}

/** The phases that write the answer. */
const WRITERS: Phase[] = ['explainer', 'explain'];

export const NO_PROGRESS: PhaseProgress = { current: null, completed: [] };

export function emptyRun(): RunState {
  return {
    events: [],
    content: '',
    rounds: [],
    phaseProgress: NO_PROGRESS,
    status: 'generating',
    metadata: null,
    error: null,
    waiting: null,
    suggestions: [],
    autoSaved: [],
  };
}

function phaseStarted(progress: PhaseProgress, phase: Phase): PhaseProgress {
  // A revision returns to an earlier phase: the phases after it are pending again.
  const order = phasesWith(phase);
  const from = order.indexOf(phase);
  const completed = progress.completed.filter((p) => order.indexOf(p) < from);
  return { ...progress, current: phase, completed };
}

function phaseOver(progress: PhaseProgress, phase: Phase): PhaseProgress {
  const completed = progress.completed.filter((p) => p !== phase);
  return { ...progress, current: null, completed: [...completed, phase] };
}

/** The metadata when an answer ends. An error has none: the calls before it stay visible. */
export function metadataAtEnd({ metadata, error, rounds }: RunState): Metadata | null {
  if (metadata || !error) return metadata;
  const toolCalls = rounds.flatMap((round) => round.calls) as unknown as Metadata['toolCalls'];
  return { error, toolCalls };
}

/** The state after one more event. Types that do not change the state are only added to `events`. */
export function applyEvent(state: RunState, event: DataAgentStreamEvent): RunState {
  if (event.type === 'message_chunk')
    return { ...state, content: state.content + event.chunk, waiting: null };
  const next = applyLoopEvent({ ...state, events: [...state.events, event], waiting: null }, event);
  switch (event.type) {
    case 'phase_start':
      // After a revision, or a retry, the text starts from the beginning.
      return {
        ...next,
        content: WRITERS.includes(event.phase) ? '' : next.content,
        phaseProgress: phaseStarted(next.phaseProgress, event.phase),
      };
    case 'phase_complete':
      return { ...next, phaseProgress: phaseOver(next.phaseProgress, event.phase) };
    case 'run_status':
      return { ...next, waiting: event.reason };
    case 'preference_suggested':
      return { ...next, suggestions: event.suggestions };
    case 'preference_auto_saved':
      return { ...next, autoSaved: event.preferences };
    case 'message_complete':
      return {
        ...next,
        content: event.content,
        status: event.status,
        metadata: event.metadata,
        phaseProgress: { ...next.phaseProgress, current: null },
      };
    case 'message_error':
      return {
        ...next,
        status: 'failed',
        error: { message: event.message, code: event.code },
        phaseProgress: { ...next.phaseProgress, current: null },
      };
    default:
      return next;
  }
}
