/** The rows that code of the CSV analyst returned. They are the last line of what it printed: an object with arrays. */
import { rowsOf, type Cell, type Rows } from './rows';

export interface Printed {
  /** Without that line. */
  text: string;
  /** Null: it returned none. */
  rows: Rows | null;
}

interface Frame {
  columns: string[];
  rows: Cell[][];
  row_count: number;
  truncated: boolean;
}

/** Rows have members by name, so no two columns may have the same. */
function unique(names: string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return names.map((name) => {
    let [free, n] = [name, next.get(name) ?? 2];
    while (taken.has(free)) free = `${name}_${n++}`;
    next.set(name, n);
    taken.add(free);
    return free;
  });
}

function frameOf(line: string): Frame | null {
  if (!line.startsWith('{"columns":')) return null;
  try {
    const all = JSON.parse(line) as Partial<Frame>;
    const good = Array.isArray(all.columns) && all.columns.every((name) => typeof name === 'string')
      && Array.isArray(all.rows) && all.rows.every(Array.isArray) && typeof all.row_count === 'number' && typeof all.truncated === 'boolean';
    return good ? (all as Frame) : null;
  } catch {
    return null;
  }
}

export function printedBy(stdout: string): Printed {
  const all = stdout.trimEnd();
  const at = all.lastIndexOf('\n') + 1;
  const frame = frameOf(all.slice(at));
  if (!frame || frame.columns.length === 0) return { text: stdout, rows: null };
  const columns = unique(frame.columns);
  const data = JSON.stringify(frame.rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null]))));
  const rows = rowsOf({ columns, data, rowCount: frame.row_count, truncated: false });
  return { text: all.slice(0, at).trimEnd(), rows };
}
