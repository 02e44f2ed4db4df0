import type { DataLineage } from '../api/types';

interface Step {
  description?: string | null;
  error?: string | null;
}

/** A query that only checks another one. */
export function isCheck({ description, error }: Step): boolean {
  return !error && /\bto check\b|^count those (left out|that have no row)\b/i.test(description ?? '');
}

/** The lineage of the rows that are shown as the answer: those of checks are none of them. */
export function lineageWithoutChecks<L extends Partial<DataLineage>>(lineage: L, steps: Step[], rowsOf: (step: number) => number | null | undefined): L {
  const rows = steps.reduce((sum, step, i) => sum + (isCheck(step) ? rowsOf(i) ?? 0 : 0), 0);
  const all = lineage.rowCount ?? 0;
  return rows < all ? { ...lineage, rowCount: all - rows } : lineage;
}
