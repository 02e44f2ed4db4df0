/** Model calls as cards: from the events while they arrive, later from the stored traces. */
import type { DataAgentStreamEvent, LlmTrace, Phase } from '../api/types';

export interface TraceCard {
  key: string;
  phase: Phase;
  purpose: string;
  provider: string;
  model: string;
  tokens: number | null;
  durationMs: number | null;
  running: boolean;
  failed: boolean;
  trace: LlmTrace | null;
}

export function cardsOfEvents(events: DataAgentStreamEvent[]): TraceCard[] {
  const cards: TraceCard[] = [];
  for (const event of events) {
    if (event.type === 'llm_call_start')
      cards.push({
        key: `${event.phase}-${event.callIndex}-${cards.length}`,
        phase: event.phase, purpose: event.purpose, provider: event.provider, model: event.model,
        tokens: null, durationMs: null, running: true, failed: false, trace: null,
      });
    if (event.type !== 'llm_call_end') continue;
    const card = cards.find((c) => c.running && c.phase === event.phase && c.purpose === event.purpose);
    if (!card) continue;
    Object.assign(card, {
      running: false, tokens: event.totalTokens, durationMs: event.durationMs, failed: Boolean(event.error),
    });
  }
  return cards;
}

export function cardOfTrace(trace: LlmTrace): TraceCard {
  return {
    key: trace.id, phase: trace.phase, purpose: trace.purpose, provider: trace.provider,
    model: trace.model, tokens: trace.totalTokens, durationMs: trace.durationMs,
    running: false, failed: trace.error !== null, trace,
  };
}

/** The sections of a trace's prompt that were cut or shortened. */
export function cutSections({ promptSections }: Pick<LlmTrace, 'promptSections'>) {
  return (promptSections ?? []).filter(({ cut, shortened }) => cut > 0 || Boolean(shortened));
}

export interface PhaseCost {
  /** Of the model calls that have ended. */
  durationMs: number;
  tokens: number;
}

/** What the models took in each phase; a phase without a call is absent. */
export function costsByPhase(cards: TraceCard[]): ReadonlyMap<Phase, PhaseCost> {
  const costs = new Map<Phase, PhaseCost>();
  for (const { phase, durationMs, tokens, running } of cards) {
    if (running) continue;
    const before = costs.get(phase) ?? { durationMs: 0, tokens: 0 };
    costs.set(phase, { durationMs: before.durationMs + (durationMs ?? 0), tokens: before.tokens + (tokens ?? 0) });
  }
  return costs;
}
