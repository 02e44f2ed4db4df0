/** The rows of a result for display. Exact numbers stay text, as the server sent them. */
import type { SqlResult } from '../api/types';
import { withUnit, type Unit } from './units';

export type Cell = string | number | boolean | null | object;
export type Row = Record<string, Cell>;
export type Kind = 'number' | 'time' | 'boolean' | 'text';

export interface Column {
  name: string;
  type: string;
  kind: Kind;
  /** Of its numbers, if the semantic model says it. */
  unit?: Unit | null;
}

export interface Rows {
  columns: Column[];
  rows: Row[];
  /** The number of rows that the query returned. */
  total: number;
  /** The database has more rows. */
  truncated: boolean;
  /** Of a result that was cut: what the server computed over all its rows. */
  totals?: Totals | null;
}

export interface Totals {
  /** The number of all rows; null: it is not known. */
  rows: string | null;
  /** By column. */
  sums: ReadonlyMap<string, string>;
}

type SomeResult = Pick<Partial<SqlResult>, 'columns' | 'columnTypes' | 'data' | 'rowCount' | 'truncated' | 'totals'>;

function totalsOf({ totals }: SomeResult): Totals | null {
  if (!totals?.length) return null;
  const pairs = totals.map(({ name, sum }) => [name ?? '', sum ?? ''] as const).filter(([, sum]) => sum !== '');
  const [first] = pairs;
  const counted = first?.[0] === '*'; // it comes first; a column may have this name, too
  return { rows: counted ? first[1] : null, sums: new Map(counted ? pairs.slice(1) : pairs) };
}

const NUMBER = /int|numeric|decimal|real|double|float|money|oid|serial|number/i;
const TIME = /date|time/i;

export function kindOf(type: string): Kind {
  if (TIME.test(type) && !/interval/i.test(type)) return 'time';
  if (NUMBER.test(type) && !/interval|point/i.test(type)) return 'number';
  return /bool/i.test(type) ? 'boolean' : 'text';
}

function parse(data: unknown): Row[] {
  if (typeof data !== 'string') return [];
  try {
    const rows: unknown = JSON.parse(data);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  } catch {
    return [];
  }
}

/** Null if no rows were stored with the message. */
export function rowsOf(result: SomeResult): Rows | null {
  if (typeof result.data !== 'string') return null;
  const rows = parse(result.data);
  const names = result.columns?.length ? result.columns : Object.keys(rows[0] ?? {});
  const columns = names.map((name, i) => {
    const type = result.columnTypes?.[i] ?? '';
    return { name, type, kind: type ? kindOf(type) : guess(rows, name) };
  });
  return { columns, rows, total: result.rowCount ?? rows.length, truncated: result.truncated ?? false, totals: totalsOf(result) };
}

function guess(rows: Row[], name: string): Kind {
  const value = rows.find((row) => row[name] !== null)?.[name];
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/** "100 of 1,000+" when not all are shown. */
export function countText({ rows, total, truncated, totals }: Rows): string {
  const all = truncated && totals?.rows ? formatNumber(totals.rows) : `${total.toLocaleString('en-US')}${truncated ? '+' : ''}`;
  if (rows.length === total && !truncated) return `${all} ${total === 1 ? 'row' : 'rows'}`;
  return `${rows.length.toLocaleString('en-US')} of ${all} rows`;
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Adds thousands separators; keeps every digit. */
export function formatNumber(value: Cell): string {
  const match = PLAIN.exec(String(value));
  if (!match) return String(value);
  const [, sign = '', whole = '', fraction] = match;
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${parted}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Numbers that name something: no thousands, no unit. */
const NAMING = /(?:^|(?<!per)_)(?:id|year|zip|code)$/i;

/** In the place of a cell without a value. */
export const EMPTY = '(empty)';

/** The cell as the reader sees it. `column`: its name and unit, if they are known. */
export function formatCell(value: Cell | undefined, kind: Kind, column?: Pick<Column, 'name' | 'unit'>): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  if (kind !== 'number') return String(value);
  if (column && NAMING.test(column.name)) return String(value);
  const text = formatNumber(value);
  return PLAIN.test(String(value)) ? withUnit(text, column?.unit) : text;
}

/** Compares numbers in text; exact if both are plain decimals. */
export function compareNumbers(a: Cell, b: Cell): number {
  const [x, y] = [PLAIN.exec(String(a)), PLAIN.exec(String(b))];
  if (!x || !y) return Number(a) - Number(b);
  const digits = Math.max(x[3]?.length ?? 0, y[3]?.length ?? 0);
  const scaled = (m: RegExpExecArray) => BigInt(`${m[1]}${m[2]}${(m[3] ?? '').padEnd(digits, '0')}`);
  const [p, q] = [scaled(x), scaled(y)];
  return p < q ? -1 : Number(p > q);
}

/** The response of `GET …/steps/:id/export?format=json`. */
export interface ResultFile {
  columns: string[];
  columnTypes: string[];
  rows: (string | null)[][];
}

function ofText(text: string | null, kind: Kind): Cell {
  return kind === 'boolean' && text !== null ? text === 't' : text;
}

/** At most `most` rows of a file. A file of `served` rows was cut by the server. */
export function rowsOfFile(file: ResultFile, most: number, served: number): Rows {
  const columns = file.columns.map((name, i) => {
    const type = file.columnTypes[i] ?? '';
    return { name, type, kind: kindOf(type) };
  });
  const shown = file.rows.slice(0, most);
  const rows = shown.map((cells) =>
    Object.fromEntries(columns.map(({ name, kind }, i) => [name, ofText(cells[i] ?? null, kind)])));
  const truncated = file.rows.length > most || file.rows.length >= served;
  return { columns, rows, total: shown.length, truncated };
}
