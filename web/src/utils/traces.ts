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

/** Where a call is between the first and the last moment of all calls, as shares of 1. */
export function spanOf(card: TraceCard, all: TraceCard[]): { from: number; share: number } | null {
  const times = all.flatMap(({ trace }) => (trace ? [[Date.parse(trace.startedAt), Date.parse(trace.completedAt)] as const] : []));
  if (!card.trace || times.length < 2) return null;
  const first = Math.min(...times.map(([start]) => start));
  const whole = Math.max(...times.map(([, end]) => end)) - first;
  if (!(whole > 0)) return null;
  const from = (Date.parse(card.trace.startedAt) - first) / whole;
  return { from, share: Math.max(0, (Date.parse(card.trace.completedAt) - Date.parse(card.trace.startedAt)) / whole) };
}

/** The calls whose purpose, model, prompt or reply has all the words. */
export function searchCards(cards: TraceCard[], wanted: string): TraceCard[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return cards;
  return cards.filter(({ phase, purpose, provider, model, trace }) => {
    const texts = [phase, purpose, provider, model, trace?.responseContent, trace?.error, ...(trace?.promptMessages ?? []).map((m) => m.content)];
    const text = texts.join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The built-in analyst's provider: it answers without a language model. */
export const BUILT_IN = 'builtin';

/** The calls that a language model answered. */
export function callsOfModels(cards: TraceCard[]): TraceCard[] {
  return cards.filter(({ provider }) => provider !== BUILT_IN);
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
