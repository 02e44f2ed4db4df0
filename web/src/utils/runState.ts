/** What the events of an answer add up to so far. */
import type { DataAgentStreamEvent, MessageStatus, Metadata, Phase } from '../api/types';
import { PHASES } from './phases';
import { applyLoopEvent, type LoopRound } from './toolLoop';

export interface PhaseProgress {
  current: Phase | null;
  completed: Phase[];
  phases: Phase[];
}

export interface Suggestion {
  key: string;
  value: string;
  question?: string;
}

export interface RunState {
  /** Without the text's pieces: those are in `content`. */
  events: DataAgentStreamEvent[];
  /** What is being written. */
  content: string;
  /** Of an agent that works in a loop: what came before. */
  rounds: LoopRound[];
  phaseProgress: PhaseProgress;
  status: MessageStatus;
  metadata: Metadata | null;
  error: { message: string; code: string } | null;
  /** Why it waits, while it does. */
  waiting: string | null;
  suggestions: Suggestion[];
  autoSaved: Suggestion[];
}

export const NO_PROGRESS: PhaseProgress = { current: null, completed: [], phases: PHASES };

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
  // A revision begins again at an earlier phase: what came after it is open once more.
  const from = PHASES.indexOf(phase);
  const completed = progress.completed.filter((p) => PHASES.indexOf(p) < from);
  return { ...progress, current: phase, completed };
}

function phaseOver(progress: PhaseProgress, phase: Phase): PhaseProgress {
  const completed = progress.completed.filter((p) => p !== phase);
  return { ...progress, current: null, completed: [...completed, phase] };
}

/** What is known of an answer when it ends. An error comes alone: the calls before it stay in sight. */
export function metadataAtEnd({ metadata, error, rounds }: RunState): Metadata | null {
  if (metadata || !error) return metadata;
  const toolCalls = rounds.flatMap((round) => round.calls) as unknown as Metadata['toolCalls'];
  return { error, toolCalls };
}

/** The state after one more event. Types that say nothing to the state only join `events`. */
export function applyEvent(state: RunState, event: DataAgentStreamEvent): RunState {
  if (event.type === 'message_chunk')
    return { ...state, content: state.content + event.chunk, waiting: null };
  const next = applyLoopEvent({ ...state, events: [...state.events, event], waiting: null }, event);
  switch (event.type) {
    case 'phase_start':
      // The explainer starts its text anew after a revision.
      return {
        ...next,
        content: event.phase === 'explainer' ? '' : next.content,
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
