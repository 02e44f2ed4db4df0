/** What an answer in progress is doing, from its events. */
import type { DataAgentStreamEvent, Plan, StepResult } from '../api/types';
import { getToolActivity } from './phases';

export interface LiveRows {
  /** Of the step. */
  description: string | null;
  /** The first rows, as Markdown. */
  table: string;
  /** "(12 rows, 4ms)" */
  count: string | null;
}

export interface LiveWork {
  phase: string | null;
  /** What it does: the running tool or step, or else what the phase is for. */
  about: string;
  found: { name: string; score: number }[];
  rows: LiveRows | null;
  /** The results of all steps, once the phase that runs them is complete. */
  steps: StepResult[];
  plan: Plan | null;
}

const ROWS_SHOWN = 5;
const RULE = /^\|(?:\s*:?-+:?\s*\|)+$/;
/** Totals of a cut result are no rows of it. */
const TOTALS = /^\| all_rows \|/;

/** The first rows of the table that a query's result begins with; null: it has none. */
function tableOf(result: string): Pick<LiveRows, 'table' | 'count'> | null {
  const lines = result.slice(0, 20_000).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const table = end < 0 ? lines : lines.slice(0, end);
  if (table.length < 3 || !RULE.test(table[1]!) || TOTALS.test(table[0]!)) return null;
  const count = /\((\d+\+? rows?), \d+ms\)\s*$/.exec(result)?.[1] ?? null;
  return { table: table.slice(0, 2 + ROWS_SHOWN).join('\n'), count };
}

/** A restart of a phase drops its steps, like its other results. */
export function liveWork(events: DataAgentStreamEvent[]): LiveWork {
  const work: LiveWork = { phase: null, about: '', found: [], rows: null, steps: [], plan: null };
  const steps = new Map<number, string>();
  let description = '';
  for (const event of events) {
    switch (event.type) {
      case 'discovery_complete':
        work.found = event.matchedDatasets;
        break;
      case 'phase_start':
        [work.phase, description] = [event.phase, event.description];
        work.about = description;
        if (event.phase === 'planner' || event.phase === 'sql_builder' || event.phase === 'executor') [work.rows, work.steps] = [null, []];
        break;
      case 'phase_complete':
        [work.phase, work.about] = [null, ''];
        break;
      case 'phase_artifact':
        if (event.phase === 'planner') work.plan = event.artifact as Plan;
        if (event.phase === 'executor' && Array.isArray(event.artifact)) work.steps = event.artifact as StepResult[];
        break;
      case 'step_start':
        steps.set(event.stepId, event.description);
        work.about = event.description;
        break;
      case 'tool_start':
        work.about = `${getToolActivity(event.name)}${event.stepId === undefined ? '' : ` · ${steps.get(event.stepId) ?? `step ${event.stepId}`}`}`;
        break;
      case 'tool_end': {
        const table = event.name === 'query_database' ? tableOf(event.result) : null;
        if (table) work.rows = { ...table, description: event.stepId === undefined ? null : steps.get(event.stepId) ?? null };
        work.about = description;
        break;
      }
      case 'message_complete':
      case 'message_error':
        work.phase = null;
        break;
      default:
    }
  }
  return work;
}
