/** What the scientist did: from the metadata of a finished answer, or from the events of one in progress. */
import type { DataAgentStreamEvent, Metadata } from '../api/types';

type Json = Record<string, unknown>;

export interface Attempt {
  attempt: number;
  code: string;
  /** Null: it ran, or runs. */
  error: string | null;
}

export interface Study {
  plan: { reasoning: string; needsCode: boolean } | null;
  /** Those that failed. */
  failed: Attempt[];
  /** What ran, or runs. */
  code: string | null;
  result: string | null;
  evaluation: string | null;
  outputType: string | null;
  /** Figures of Plotly as they came. */
  figures: unknown[];
  /** The code runs now. */
  running: boolean;
}

const ATTEMPTS_MOST = 10;
const FIGURES_MOST = 20;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Images are among the charts of the answer. */
function figureOf(value: unknown): unknown[] {
  return isObject(value) && isObject(value.plotly) ? [value.plotly] : [];
}

function attemptOf(value: unknown): Attempt[] {
  if (!isObject(value)) return [];
  return [{ attempt: Number(value.attempt) || 0, code: text(value.code) ?? '', error: text(value.error) }];
}

function planOf(value: unknown): Study['plan'] {
  return isObject(value) && 'needs_code' in value
    ? { reasoning: text(value.reasoning) ?? '', needsCode: value.needs_code === true } : null;
}

/** Null for answers of other agents. */
export function studyOf(metadata: Metadata | null): Study | null {
  if (!metadata) return null;
  const all = metadata.finalOutput as unknown;
  if (!isObject(all)) return null;
  return {
    plan: planOf(all.plan),
    failed: list(all.failed_attempts).slice(0, ATTEMPTS_MOST).flatMap(attemptOf),
    code: text(all.code), result: text(all.result_str), evaluation: text(all.evaluation), outputType: text(all.output_type),
    figures: list(all.figures).slice(0, FIGURES_MOST).flatMap(figureOf),
    running: false,
  };
}

/** Null until the first phase of the scientist has started. */
export function liveStudy(events: DataAgentStreamEvent[]): Study | null {
  if (!events.some((event) => event.type === 'phase_start' && event.phase === 'plan')) return null;
  const study: Study = { plan: null, failed: [], code: null, result: null, evaluation: null, outputType: null, figures: [], running: false };
  const attempts = new Map<number, Attempt>();
  for (const event of events) {
    if (event.type === 'phase_start' || event.type === 'phase_complete')
      study.running = event.type === 'phase_start' && event.phase === 'code';
    if (event.type === 'tool_start' && event.phase === 'code')
      study.code = isObject(event.args) ? text(event.args.code) : null;
    if (event.type !== 'phase_artifact' || !isObject(event.artifact)) continue;
    const artifact: Json = event.artifact;
    study.plan = planOf(artifact) ?? study.plan;
    study.evaluation = text(artifact.evaluation) ?? study.evaluation;
    if ('code' in artifact && attempts.size < ATTEMPTS_MOST)
      attemptOf(artifact).forEach((one) => {
        attempts.set(one.attempt, one);
        study.code = one.error === null ? one.code || null : null;
      });
  }
  study.failed = [...attempts.values()].filter(({ error }) => error !== null);
  return study;
}
