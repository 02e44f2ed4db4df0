import type { Phase } from '../api/types';

export const PHASES: Phase[] = [
  'planner', 'navigator', 'sql_builder', 'executor', 'verifier', 'explainer',
];

const NAMES: Record<Phase, string> = {
  planner: 'Planner',
  navigator: 'Navigator',
  sql_builder: 'SQL Builder',
  executor: 'Executor',
  verifier: 'Verifier',
  explainer: 'Explainer',
  react: 'ReAct',
};

export function phaseName(phase: string): string {
  return NAMES[phase as Phase] ?? phase;
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

export function getToolLabel(name: string): string {
  return TOOLS[name]?.done ?? name;
}

/** The label while it runs. */
export function getToolActivity(name: string): string {
  return TOOLS[name]?.running ?? name;
}
