/** What a run in progress does, in sentences for an admin. */
import type { LiveRun } from '../api/types';

const WORK: Record<LiveRun['phase'], string> = {
  planner: 'Plans the answer.',
  navigator: 'Looks for the datasets and how they join.',
  sql_builder: 'Writes the queries.',
  executor: 'Runs the queries.',
  verifier: 'Checks the results.',
  explainer: 'Writes the answer.',
  react: 'Looks things up and writes the answer.',
  csv: 'Works on uploaded files.',
  explorer: 'Explores a table of the browser.',
  plan: 'Plans the analysis.',
  code: 'Writes and runs code.',
  evaluate: 'Judges the results.',
  explain: 'Explains the results.',
  error: 'Explains why it failed.',
  done: 'Is complete and being saved.',
};

/** What happens now. */
export function workOf(run: Pick<LiveRun, 'phase' | 'cancelRequested' | 'orphaned' | 'owner'>): string {
  if (run.cancelRequested) return 'Is being stopped.';
  if (run.orphaned) return 'Its process ended; another one takes it over soon.';
  if (run.owner === null) return 'Waits for a process that is free.';
  return WORK[run.phase] ?? 'Is in progress.';
}

function amount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** "for 2 minutes", "for 40 seconds" */
export function sinceText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `for ${amount(seconds, 'second')}`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `for ${amount(minutes, 'minute')}` : `for ${amount(Math.floor(minutes / 60), 'hour')}`;
}

/** "In progress for 2 minutes; started again once." */
export function historyOf({ ageMs, attempt }: Pick<LiveRun, 'ageMs' | 'attempt'>): string {
  const again = attempt - 1;
  if (again < 1) return `In progress ${sinceText(ageMs)}.`;
  return `In progress ${sinceText(ageMs)}; started again ${again === 1 ? 'once' : `${again} times`}.`;
}
