import type { Phase } from '../api/types';

export const PHASES: Phase[] = [
  'planner', 'navigator', 'sql_builder', 'executor', 'verifier', 'explainer',
];

/** The scientist's. */
export const STUDY_PHASES: Phase[] = ['plan', 'code', 'evaluate', 'explain'];

/** Where its third attempt failed, in the place of the last two. */
export const STUDY_FAILED: Phase = 'error';

const NAMES: Record<string, string> = {
  planner: 'Planner',
  navigator: 'Navigator',
  sql_builder: 'SQL Builder',
  executor: 'Executor',
  verifier: 'Verifier',
  explainer: 'Explainer',
  react: 'ReAct',
  csv: 'CSV analyst',
  explorer: 'Explorer',
  plan: 'Plan',
  code: 'Code',
  evaluate: 'Evaluation',
  explain: 'Explanation',
  error: 'Failed',
};

export function phaseName(phase: string): string {
  return NAMES[phase] ?? phase;
}

/** The phases that follow each other, of the agent that has this one. */
export function phasesWith(phase: Phase): Phase[] {
  const study = [...STUDY_PHASES, STUDY_FAILED];
  return study.includes(phase) ? study : PHASES;
}

interface ToolWords {
  done: string;
  running: string;
}

const TOOLS: Record<string, ToolWords> = {
  query_database: { done: 'Analyzed data', running: 'Analyzing data' },
  get_dataset_details: { done: 'Checked dataset details', running: 'Checking dataset details' },
  get_sample_data: { done: 'Viewed sample data', running: 'Viewing sample data' },
  run_python: { done: 'Ran Python analysis', running: 'Running Python analysis' },
  list_datasets: { done: 'Listed datasets', running: 'Listing datasets' },
  get_relationships: { done: 'Looked up relationships', running: 'Looking up relationships' },
};

/** The tools of the CSV analyst, which people know by their names. */
const NAMED = ['list_datasets', 'get_dataset_schema', 'execute_sql', 'execute_query_plan', 'execute_python'];

/** Whether the state of a call is written next to the tool's name. */
export function hasBadge(name: string): boolean {
  return NAMED.includes(name) && !(name in TOOLS);
}

export function getToolLabel(name: string): string {
  return TOOLS[name]?.done ?? name;
}

/** The label while it runs. */
export function getToolActivity(name: string): string {
  return TOOLS[name]?.running ?? (hasBadge(name) ? `Running ${name}` : name);
}
