import type { JoinPlan } from '../api/types';

export interface JoinEdge {
  from: string;
  to: string;
  on: string;
}

/** The datasets and joins without duplicates. */
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

/** The row of each dataset: the number of joins from the first dataset. */
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

export interface GraphPlace {
  row: number;
  /** The offset from the middle. */
  column: number;
}

const ROW_MOST = 6;

/** The rows in order of level; a long level takes several rows. */
export function places(datasets: string[], joins: JoinEdge[]): Map<string, GraphPlace> {
  const level = levels(datasets, joins);
  const byLevel = new Map<number, string[]>();
  for (const name of datasets) {
    const n = level.get(name) ?? 0;
    byLevel.set(n, [...(byLevel.get(n) ?? []), name]);
  }
  const found = new Map<string, GraphPlace>();
  let row = 0;
  for (const n of [...byLevel.keys()].sort((a, b) => a - b)) {
    const names = byLevel.get(n)!;
    for (let from = 0; from < names.length; from += ROW_MOST, row++) {
      const some = names.slice(from, from + ROW_MOST);
      some.forEach((name, i) => found.set(name, { row, column: i - (some.length - 1) / 2 }));
    }
  }
  return found;
}

type Side = 'top' | 'bottom' | 'left' | 'right';

/** The sides at which an edge attaches, so that it runs between the two nodes and not around them. */
export function sidesOf(from: GraphPlace, to: GraphPlace): [Side, Side] {
  if (from.row !== to.row) return from.row < to.row ? ['bottom', 'top'] : ['top', 'bottom'];
  const apart = to.column - from.column;
  if (apart === 0) return ['right', 'top']; // itself
  if (Math.abs(apart) > 1) return ['bottom', 'bottom']; // below the nodes between them
  return apart > 0 ? ['right', 'left'] : ['left', 'right'];
}
