import type { JoinPlan } from '../api/types';

export interface JoinEdge {
  from: string;
  to: string;
  on: string;
}

/** Each dataset and each join once. */
export function joinGraph(plan: JoinPlan): { datasets: string[]; joins: JoinEdge[] } {
  const joins = new Map<string, JoinEdge>();
  const datasets = new Set(plan.relevantDatasets.map((d) => d.name));
  for (const edge of plan.joinPaths.flatMap((path) => path.edges)) {
    const on = edge.fromColumns.map((c, i) => `${c} = ${edge.toColumns[i] ?? '?'}`).join(', ');
    datasets.add(edge.fromDataset).add(edge.toDataset);
    joins.set(`${edge.fromDataset}|${edge.toDataset}|${on}`, { from: edge.fromDataset, to: edge.toDataset, on });
  }
  return { datasets: [...datasets], joins: [...joins.values()] };
}

/** The row of each dataset: how many joins it is from the first. */
export function levels(datasets: string[], joins: JoinEdge[]): Map<string, number> {
  const level = new Map<string, number>();
  for (const root of datasets) {
    if (level.has(root)) continue;
    level.set(root, 0);
    const queue = [root];
    for (let at = queue.shift(); at !== undefined; at = queue.shift())
      for (const { from, to } of joins) {
        const next = from === at ? to : to === at ? from : null;
        if (next === null || level.has(next)) continue;
        level.set(next, level.get(at)! + 1);
        queue.push(next);
      }
  }
  return level;
}
