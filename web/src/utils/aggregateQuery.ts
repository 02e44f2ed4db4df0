/**
 * Recognizes queries whose results describe groups of rows, so that they can be shared
 * without sharing cells. It knows one shape: SELECT … FROM t_parsed [WHERE …] [GROUP BY …]
 * [HAVING …] [ORDER BY …] [LIMIT …], without subqueries, joins or windows. What it does not
 * recognize counts as rows of the file.
 */
import { quoteName, type Token } from './sqlText';

export const TABLE = 't_parsed';
const NUMERIC = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE|REAL)$/i;

export interface TableColumn {
  name: string;
  type: string;
}

/** A column of the result. */
export type Item =
  /** Counts rows: never a cell. */
  | { kind: 'count' }
  /** Computed from all values of these columns in the group. */
  | { kind: 'statistic'; columns: string[] }
  /** A group's label, or a value that an aggregate takes from one row (min, max, first …). */
  | { kind: 'label' };

export interface AggregateQuery {
  items: Item[];
  /** The columns whose guards follow the items, in the result of `guarded`. */
  columns: string[];
  /** The query with further result columns: for each of `columns`, its values in the group, and whether one of them could be recognized. */
  guarded: string;
}

export function isNumeric(type: string): boolean {
  return NUMERIC.test(type);
}

const COUNTS = new Set(['count', 'count_if', 'countif', 'count_star', 'approx_count_distinct']);
const STATISTICS = new Set([
  'sum', 'avg', 'mean', 'stddev', 'stddev_samp', 'stddev_pop', 'variance', 'var_samp', 'var_pop', 'corr', 'covar_samp',
  'covar_pop', 'regr_slope', 'regr_intercept', 'regr_r2', 'skewness', 'kurtosis',
]);
const PLAIN = new Set(['round', 'abs', 'floor', 'ceil', 'ceiling', 'sqrt', 'coalesce', 'nullif', 'ln', 'log10', 'exp']);
const UNREAD = new Set([
  'select', 'union', 'intersect', 'except', 'join', 'over', 'qualify', 'window', 'sample', 'tablesample', 'with',
  'within', 'pivot', 'unpivot', 'exclude', 'replace', 'columns', 'lateral',
]);
const CLAUSES = new Set(['where', 'group', 'having', 'order', 'limit', 'offset']);
const DEPTH = 20;

const isMark = (token: Token | undefined, text: string) => token?.kind === 'mark' && token.text === text;
const isWord = (token: Token | undefined, text: string) => token?.kind === 'word' && token.text === text;

/** The index after the parenthesis that closes the one at `at`. */
function closing(tokens: Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    if (isMark(tokens[i], '(')) depth++;
    if (isMark(tokens[i], ')') && --depth === 0) return i + 1;
  }
  return tokens.length;
}

/** Reads an expression over aggregates. Throws at the first thing that it does not know. */
class ItemReader {
  readonly columns = new Set<string>();
  aggregates = 0;
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: Token[], private readonly known: Map<string, TableColumn>) {}

  private next(): Token {
    const token = this.tokens[this.at++];
    if (!token) throw new Error('end');
    return token;
  }

  private expect(text: string): void {
    if (!isMark(this.next(), text)) throw new Error(text);
  }

  private column(): void {
    const token = this.next();
    const column = token.kind === 'word' || token.kind === 'name' ? this.known.get(token.text.toLowerCase()) : undefined;
    if (!column || !isNumeric(column.type)) throw new Error('column');
    this.columns.add(column.name);
  }

  private call(name: string): void {
    if (COUNTS.has(name)) {
      this.at = closing(this.tokens, this.at);
      if (isWord(this.tokens[this.at], 'filter')) this.at = closing(this.tokens, this.at + 1);
      this.aggregates++;
      return;
    }
    this.expect('(');
    if (STATISTICS.has(name)) {
      this.column();
      while (isMark(this.tokens[this.at], ',')) {
        this.at++;
        this.column();
      }
      this.aggregates++;
    } else if (name === 'cast') {
      this.expression();
      if (!isWord(this.next(), 'as')) throw new Error('as');
      this.type();
    } else if (PLAIN.has(name)) {
      this.expression();
      while (isMark(this.tokens[this.at], ',')) {
        this.at++;
        this.expression();
      }
    } else {
      throw new Error(name);
    }
    this.expect(')');
  }

  private type(): void {
    if (this.next().kind !== 'word') throw new Error('type');
    if (isMark(this.tokens[this.at], '(')) this.at = closing(this.tokens, this.at);
  }

  private term(): void {
    const token = this.next();
    if (isMark(token, '-')) return this.term();
    if (isMark(token, '(')) {
      this.expression();
      this.expect(')');
    } else if (token.kind === 'word' && isMark(this.tokens[this.at], '(')) {
      this.call(token.text);
    } else if (token.kind !== 'number') {
      throw new Error(token.text);
    }
    while (isMark(this.tokens[this.at], '::')) {
      this.at++;
      this.type();
    }
  }

  private expression(): void {
    if (++this.depth > DEPTH) throw new Error('depth');
    this.term();
    while (['+', '-', '*', '/', '%'].some((mark) => isMark(this.tokens[this.at], mark))) {
      this.at++;
      this.term();
    }
    this.depth--;
  }

  /** What the item is: its expression, then perhaps an alias. */
  read(): Item {
    try {
      this.expression();
    } catch {
      return { kind: 'label' };
    }
    if (isWord(this.tokens[this.at], 'as')) this.at++;
    if (this.at < this.tokens.length && ['word', 'name'].includes(this.tokens[this.at]!.kind)) this.at++;
    if (this.at !== this.tokens.length) return { kind: 'label' };
    return this.columns.size > 0 ? { kind: 'statistic', columns: [...this.columns] } : { kind: 'count' };
  }
}

interface Parts {
  items: Token[][];
  /** Where guards are inserted: before FROM. */
  from: number;
  clauses: Token[];
}

function partsOf(tokens: Token[]): Parts | null {
  if (!isWord(tokens[0], 'select') || isWord(tokens[1], 'distinct')) return null;
  if (tokens.slice(1).some((token) => token.kind === 'word' && UNREAD.has(token.text))) return null;
  const items: Token[][] = [[]];
  let depth = 0;
  let at = 1;
  for (; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (isMark(token, '(') || isMark(token, '[') || isMark(token, '{')) depth++;
    if (isMark(token, ')') || isMark(token, ']') || isMark(token, '}')) depth--;
    if (depth === 0 && isWord(token, 'from')) break;
    if (depth === 0 && isMark(token, ',')) items.push([]);
    else items.at(-1)!.push(token);
  }
  const table = tokens[at + 1];
  if (!table || !['word', 'name'].includes(table.kind) || table.text.toLowerCase() !== TABLE) return null;
  const clauses = tokens.slice(at + 2);
  if (clauses[0] && !(clauses[0].kind === 'word' && CLAUSES.has(clauses[0].text))) return null;
  return items.every((item) => item.length > 0) ? { items, from: tokens[at]!.from, clauses } : null;
}

function isGrouped(clauses: Token[]): boolean {
  return clauses.some((token, i) => isWord(token, 'group') && isWord(clauses[i + 1], 'by'));
}

/** Null: the query may return rows of the file as they are. */
export function aggregateQuery(sql: string, tokens: Token[], table: TableColumn[]): AggregateQuery | null {
  const parts = partsOf(tokens);
  if (!parts) return null;
  // "*" and expressions over plain columns would be labels; they need GROUP BY.
  if (parts.items.some((item) => isMark(item[0], '*') || isMark(item.at(-1), '*'))) return null;
  const known = new Map(table.map((column) => [column.name.toLowerCase(), column]));
  const readers = parts.items.map((item) => new ItemReader(item, known));
  const items = readers.map((reader) => reader.read());
  if (!isGrouped(parts.clauses) && !readers.some((reader, i) => reader.aggregates > 0 && items[i]!.kind !== 'label')) return null;
  const columns = [...new Set(items.flatMap((item) => (item.kind === 'statistic' ? item.columns : [])))];
  const guards = columns.flatMap((column) => {
    const name = quoteName(column);
    const recognizable = `min(${name}) = max(${name}) OR max(abs(${name}::DOUBLE)) > 0.8 * sum(abs(${name}::DOUBLE))`;
    return [`count(${name})`, `(${recognizable})`];
  });
  const guarded = guards.length > 0 ? `${sql.slice(0, parts.from)}, ${guards.join(', ')} ${sql.slice(parts.from)}` : sql;
  return { items, columns, guarded };
}
