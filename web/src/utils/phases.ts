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

const TOOLS: Record<string, string> = {
  query_database: 'Analyzed data',
  get_dataset_details: 'Checked dataset details',
  get_sample_data: 'Viewed sample data',
  run_python: 'Ran Python analysis',
  list_datasets: 'Listed datasets',
  get_relationships: 'Looked up relationships',
};

export function getToolLabel(name: string): string {
  return TOOLS[name] ?? name;
}
