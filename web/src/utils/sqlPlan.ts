/** Figures of a query plan. */
import type { SqlPlanNode } from '../api/sql';

/** What a step costs without the steps below it; null: it is not known. A step with a LIMIT stops those early. */
export function ownCosts(node: SqlPlanNode): number | null {
  if (node.cost === null) return null;
  const below = node.children.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  return Math.max(0, node.cost - below);
}

/** 1,234,568 or 12.5: an estimate needs no more digits. */
export function planNumber(n: number): string {
  return n.toLocaleString('en-US', { maximumFractionDigits: n < 100 ? 1 : 0 });
}
