/**
 * Decides what of the person's file is sent to the server. Nothing else does.
 *
 *   none        only the shape of a result: its columns, their types, the number of rows
 *   aggregates  and what describes groups of rows: counts, and statistics of groups of at
 *               least five values of which none can be recognized. Labels of groups, and values that
 *               an aggregate takes from one row (min, max, first …), get stand-ins ("city #1"),
 *               which the page translates back for the person
 *   rows        everything, up to the limits
 */
import { aggregateQuery, isNumeric, type AggregateQuery, type TableColumn } from './aggregateQuery';
import { quoteName, quoteText, readQuery } from './sqlText';

export type Share = 'none' | 'aggregates' | 'rows';
export const SHARES: Share[] = ['none', 'aggregates', 'rows'];

export type Value = string | number | boolean | null;

/** What a query gave. Values are text, or null: the engine casts them, so that all digits are kept. */
export interface LocalResult {
  columns: string[];
  types: string[];
  rows: (string | null)[][];
  /** There are more rows. */
  truncated: boolean;
}

/** The table that stays in the browser. */
export interface LocalTable {
  columns: TableColumn[];
  rowCount: number;
  /** Rejects with the engine's message. */
  query: (sql: string) => Promise<LocalResult>;
}

export interface BridgeQuery {
  id: string;
  sql: string;
  /** The server's own SQL, whose result quotes no cell. */
  aggregate: boolean;
}

/** One of `results` of a callback. */
export type Sent =
  | { id: string; columns: string[]; types: string[]; rows: Value[][]; rowCount: number; truncated: boolean }
  | { id: string; columns: string[]; types: string[]; withheld: true; rowCount: number }
  | { id: string; error: string };

export interface Answered {
  sent: Sent;
  /** For the person; null if the query failed. */
  local: LocalResult | null;
  error: string | null;
}

/** Statistics of fewer values are not sent. */
export const GROUP_LEAST = 5;
/** JSON of all results of one callback; the server takes 1 MiB. */
export const BYTES_MOST = 900_000;
const HIDDEN = 'The query failed. The message is not shared, because it may quote values of the file.';

const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Stand-ins for values, the same for the same value throughout an exploration. */
export class StandIns {
  private readonly byValue = new Map<string, string>();
  private readonly byName = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** "city #1" for the first value of the column "city". */
  of(column: string, value: string): string {
    const key = `${column}\n${value}`;
    const known = this.byValue.get(key);
    if (known !== undefined) return known;
    const number = (this.counts.get(column) ?? 0) + 1;
    this.counts.set(column, number);
    const name = `${column} #${number}`;
    this.byValue.set(key, name);
    this.byName.set(name, value);
    return name;
  }

  /** The value that a stand-in is for. */
  value(name: string): string | undefined {
    return this.byName.get(name);
  }

  /** The text with values in place of stand-ins: only for the person's eyes. In Markdown of the server, "a\_b \#1" is "a_b #1". */
  reveal(text: string): string {
    if (this.counts.size === 0 || !text.includes('#')) return text;
    const names = [...this.counts.keys()].sort((a, b) => b.length - a.length);
    const pattern = new RegExp(`(?:${names.map((name) => name.replace(PUNCTUATION, '\\\\?\\$&')).join('|')}) \\\\?#\\d+`, 'g');
    return text.replace(pattern, (name) => this.byName.get(name) ?? this.byName.get(name.replace(ESCAPED, '$1')) ?? name);
  }
}

export function valueOf(text: string | null, type: string): Value {
  if (text === null) return null;
  if (/^BOOLEAN$/i.test(type)) return text === 'true';
  if (!isNumeric(type) || /^DECIMAL|^HUGEINT|^UHUGEINT/i.test(type)) return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return null;
  return Number.isInteger(number) && !Number.isSafeInteger(number) && !/^(DOUBLE|FLOAT|REAL)$/i.test(type) ? text : number;
}

/** Columns that one statement looks at. */
const COLUMNS_AT_ONCE = 50;

/** Those of the numbers, without their signs, that are cells of these columns. */
async function numbersInCells(table: LocalTable, columns: string[], numbers: Set<number>): Promise<Set<number>> {
  const found = new Set<number>();
  const list = [...numbers].map((n) => `${n}::DOUBLE`).join(', ');
  for (let at = 0; at < columns.length && list; at += COLUMNS_AT_ONCE) {
    const cells = columns.slice(at, at + COLUMNS_AT_ONCE).map((column) => `SELECT abs(${quoteName(column)}::DOUBLE) AS v FROM t_parsed`);
    const { rows } = await table.query(`SELECT DISTINCT v FROM (${cells.join(' UNION ALL ')}) WHERE v IN (${list})`);
    for (const [text] of rows) found.add(Number(text));
  }
  return found;
}

/** The number without its sign, for comparing it with cells. */
function numberOf(text: string | null): number | null {
  return text === null || !Number.isFinite(Number(text)) ? null : Math.abs(Number(text));
}

/** Sends the numbers that the server's own SQL computed, but none that is a cell; counts may be equal to one by chance. Of texts, only names of columns. */
async function serverAggregate(table: LocalTable, result: LocalResult): Promise<Value[][]> {
  const names = new Set(table.columns.map(({ name }) => name));
  const most = Math.max(table.rowCount, table.columns.length);
  const isCount = (type: string, number: number) => number === 0 || (/INT/i.test(type) && number <= most);
  const numbers = new Set<number>();
  result.rows.forEach((row) => row.forEach((text, i) => {
    const number = numberOf(text);
    if (isNumeric(result.types[i]!) && number !== null && !isCount(result.types[i]!, number)) numbers.add(number);
  }));
  const cells = await numbersInCells(table, table.columns.filter(({ type }) => isNumeric(type)).map(({ name }) => name), numbers);
  return result.rows.map((row) => row.map((text, i) => {
    const type = result.types[i]!;
    if (text === null || /^BOOLEAN$/i.test(type)) return valueOf(text, type);
    if (!isNumeric(type)) return names.has(text) ? text : null;
    const number = numberOf(text);
    return number !== null && (isCount(type, number) || !cells.has(number)) ? valueOf(text, type) : null;
  }));
}

/** Sends counts, statistics whose values cannot be recognized, and stand-ins. */
async function shared(table: LocalTable, query: AggregateQuery, result: LocalResult, names: string[], standIns: StandIns): Promise<Value[][]> {
  const width = query.items.length;
  const isOpen = (row: (string | null)[], column: string) => {
    const at = width + 2 * query.columns.indexOf(column);
    return Number(row[at]) >= GROUP_LEAST && row[at + 1] === 'false';
  };
  const numbers = new Set<number>();
  result.rows.forEach((row) => query.items.forEach((item, i) => {
    const number = numberOf(row[i]!);
    if (item.kind === 'statistic' && number !== null) numbers.add(number);
  }));
  const cells = await numbersInCells(table, query.columns, numbers);
  return result.rows.map((row) => query.items.map((item, i) => {
    const text = row[i]!;
    if (text === null || item.kind === 'count') return valueOf(text, result.types[i]!);
    if (item.kind === 'label') return standIns.of(names[i]!, text);
    const number = numberOf(text);
    const open = number !== null && !cells.has(number) && item.columns.every((column) => isOpen(row, column));
    return open ? valueOf(text, result.types[i]!) : null;
  }));
}

/** Messages about the text of a query quote no value, unless the page put values into it. */
function errorFor(share: Share, message: string, valuesPutIn: boolean): string {
  if (share === 'rows') return message;
  return /^(Parser|Catalog|Binder) Error/.test(message) && !valuesPutIn && !/convert|cast|value/i.test(message) ? message : HIDDEN;
}

function cut(result: LocalResult, width: number): LocalResult {
  return {
    columns: result.columns.slice(0, width), types: result.types.slice(0, width),
    rows: result.rows.map((row) => row.slice(0, width)), truncated: result.truncated,
  };
}

/** Replaces the stand-ins in the strings of a query. */
function withValues(sql: string, standIns: StandIns): { sql: string; put: string[] } {
  const read = readQuery(sql);
  const put: string[] = [];
  if ('refused' in read) return { sql, put };
  let text = '';
  let at = 0;
  for (const token of read.tokens) {
    const value = token.kind === 'text' ? standIns.value(token.text) : undefined;
    if (value === undefined) continue;
    text += sql.slice(at, token.from) + quoteText(value);
    put.push(value);
    at = token.to;
  }
  return { sql: text + sql.slice(at), put };
}

/** A column without an alias is named after its expression, which may have values that the page put in. */
function safeNames(columns: string[], put: string[]): string[] {
  const mayQuote = (name: string) => put.length > 0 && (name.includes("'") || put.some((value) => name.includes(value)));
  return columns.map((name, i) => (mayQuote(name) ? `column ${i + 1}` : name));
}

/** An ENUM lists its values. */
function safeTypes(types: string[]): string[] {
  return types.map((type) => (/^DECIMAL\(\d+,\d+\)$/i.test(type) ? type : type.replace(/\(.*$/s, '')));
}

export const messageFrom = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Runs one query, and says what of its result may be sent. */
export async function answerQuery(table: LocalTable, asked: BridgeQuery, share: Share, standIns: StandIns): Promise<Answered> {
  const { sql: text, put } = withValues(asked.sql, standIns);
  const read = readQuery(text);
  if ('refused' in read) return { sent: { id: asked.id, error: read.refused }, local: null, error: read.refused };
  if (share !== 'rows' && read.tokens.some(({ kind, text: word }) => kind === 'word' && word === 'pivot')) {
    const error = 'PIVOT makes column names of values, which are not shared. Use GROUP BY.';
    return { sent: { id: asked.id, error }, local: null, error };
  }
  const aggregate = share === 'aggregates' && !asked.aggregate ? aggregateQuery(read.sql, read.tokens, table.columns) : null;
  let local: LocalResult;
  let rows: Value[][] | null = null;
  try {
    if (aggregate) {
      const guarded = await table.query(aggregate.guarded);
      local = cut(guarded, aggregate.items.length);
      rows = await shared(table, aggregate, guarded, safeNames(local.columns, put), standIns);
    } else {
      local = await table.query(read.sql);
      if (share === 'rows') rows = local.rows.map((row) => row.map((cell, i) => valueOf(cell, local.types[i]!)));
      else if (share === 'aggregates' && asked.aggregate) rows = await serverAggregate(table, local);
    }
  } catch (error) {
    const message = messageFrom(error);
    return { sent: { id: asked.id, error: errorFor(share, message, put.length > 0) }, local: null, error: message };
  }
  const columns = share === 'rows' ? local.columns : safeNames(local.columns, put);
  const shape = { id: asked.id, columns, types: safeTypes(local.types), rowCount: local.rows.length };
  const sent: Sent = rows ? { ...shape, rows, truncated: local.truncated } : { ...shape, withheld: true };
  return { sent, local, error: null };
}

/** Fewer rows, so that the callback is not too large. */
export function bounded(results: Sent[]): Sent[] {
  let left = BYTES_MOST;
  return results.map((result) => {
    if (!('rows' in result)) return result;
    const rows: Value[][] = [];
    for (const row of result.rows) {
      left -= new TextEncoder().encode(JSON.stringify(row)).length + 1;
      if (left < 0) break;
      rows.push(row);
    }
    return { ...result, rows, truncated: result.truncated || rows.length < result.rows.length };
  });
}
