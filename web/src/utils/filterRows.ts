/** Filters and sorts rows. */
import { compareNumbers, formatCell, type Cell, type Column, type Row } from './rows';

/** Smaller results need no filter. */
export const FILTERED_FROM = 6;

export interface Order {
  column: Column;
  down: boolean;
}

/** The next sort order: ascending, descending, original. */
export function nextOrder(order: Order | null, column: Column): Order | null {
  if (order?.column.name !== column.name) return { column, down: false };
  return order.down ? null : { column, down: true };
}

const COMPARISON = /^\s*(<=|>=|<|>|=)\s*(.+)$/;
const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Rows without a value come last in both directions. */
function compare(a: Cell, b: Cell, { column, down }: Order): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = column.kind === 'number' ? compareNumbers(a, b) : words.compare(String(a), String(b));
  return down ? -order : order;
}

export function sortRows(rows: Row[], order: Order | null): Row[] {
  if (!order) return rows;
  const { name } = order.column;
  return rows.toSorted((a, b) => compare(a[name] ?? null, b[name] ?? null, order));
}

/** Numbers match comparisons such as "> 100". All values match by substring, also as displayed ("1,000"). */
function test(column: Column, wanted: string): (cell: Cell) => boolean {
  const [, sign, limit = ''] = COMPARISON.exec(wanted) ?? [];
  const bare = limit.replaceAll(',', '').trim();
  if (sign && column.kind === 'number' && Number.isFinite(Number(bare)))
    return (cell) => {
      if (cell === null) return false;
      const order = compareNumbers(cell, bare);
      return (sign.includes('=') && order === 0) || (sign[0] === '<' && order < 0) || (sign[0] === '>' && order > 0);
    };
  const text = wanted.toLowerCase();
  return (cell) =>
    formatCell(cell, column.kind, column).toLowerCase().includes(text) || (cell !== null && String(cell).toLowerCase().includes(text));
}

/** The rows in which at least one column matches. */
export function filterRows(rows: Row[], columns: Column[], wanted: string): Row[] {
  if (wanted.trim() === '') return rows;
  const tests = columns.map((column) => [column.name, test(column, wanted.trim())] as const);
  return rows.filter((row) => tests.some(([name, passes]) => passes(row[name] ?? null)));
}
