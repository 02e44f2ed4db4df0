import type { ModelStage } from '../api/types';

/** The stages in order, with their descriptions. */
export const MODEL_STAGES: [ModelStage, string][] = [
  ['connecting', 'Connecting'],
  ['catalog', 'Reading tables, columns and keys'],
  ['samples', 'Looking at values'],
  ['keys', 'Finding keys'],
  ['relationships', 'Finding relationships'],
  ['evidence', 'Testing relationships on the data'],
  ['embedding', 'Embedding the datasets'],
  ['storing', 'Storing the model'],
];

export type StageState = 'over' | 'active' | 'ahead';

export function stageState(stage: ModelStage, now: ModelStage, complete: boolean): StageState {
  const at = (wanted: ModelStage) => MODEL_STAGES.findIndex(([name]) => name === wanted);
  if (complete || at(stage) < at(now)) return 'over';
  return stage === now ? 'active' : 'ahead';
}
