/**
 * Reads SQL as tokens, and refuses what is not one SELECT. The engine is locked as well
 * (browserTable.ts); this gives the sentence, and is what disclosure.ts builds on.
 */

export interface Token {
  /** `word` is unquoted and in lower case, `name` is a quoted identifier, `text` a string. */
  kind: 'word' | 'name' | 'text' | 'number' | 'mark';
  /** The value, without quotes. */
  text: string;
  from: number;
  to: number;
}

const SQL_MOST = 20_000;
const SHAPES: [Token['kind'], RegExp][] = [
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['name', /"(?:[^"]|"")*"/y],
  ['text', /'(?:[^']|'')*'/y],
  ['number', /(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy],
  ['mark', /::|<=|>=|<>|!=|==|\|\||->>?|=>|[-+*/%^&|<>=!~@(),.;[\]{}:?#]/y],
];
const BLANK = /(?:\s|--[^\n]*(?:\n|$)|\/\*(?:(?!\/\*|\*\/)[\s\S])*\*\/)*/y;

function valueOf(kind: Token['kind'], raw: string): string {
  if (kind === 'word') return raw.toLowerCase();
  if (kind === 'name') return raw.slice(1, -1).replaceAll('""', '"');
  return kind === 'text' ? raw.slice(1, -1).replaceAll("''", "'") : raw;
}

function skipBlank(sql: string, at: number): number {
  BLANK.lastIndex = at;
  return BLANK.exec(sql) ? BLANK.lastIndex : at;
}

/** Null if it is too long, has an open quote or comment, or a form of quoting that is not read here ($$, E''). */
export function readTokens(sql: string): Token[] | null {
  if (sql.length > SQL_MOST) return null;
  const tokens: Token[] = [];
  let at = skipBlank(sql, 0);
  while (at < sql.length) {
    if (sql.startsWith('/*', at) || sql.startsWith('*/', at)) return null;
    let token: Token | null = null;
    for (const [kind, shape] of SHAPES) {
      shape.lastIndex = at;
      const found = shape.exec(sql);
      if (!found) continue;
      token = { kind, text: valueOf(kind, found[0]), from: at, to: shape.lastIndex };
      break;
    }
    if (!token || (token.kind === 'word' && sql[token.to] === "'")) return null;
    tokens.push(token);
    at = skipBlank(sql, token.to);
  }
  return tokens;
}

const CHANGES = new Set([
  'insert', 'update', 'delete', 'merge', 'create', 'alter', 'drop', 'truncate', 'copy', 'export', 'import', 'attach',
  'detach', 'install', 'load', 'pragma', 'set', 'reset', 'call', 'execute', 'prepare', 'deallocate', 'use', 'vacuum',
  'checkpoint', 'begin', 'commit', 'rollback', 'analyze', 'explain', 'describe', 'show', 'summarize',
]);
const AFTER_WITH = new Set(['insert', 'update', 'delete', 'merge']);
/** These read files, settings or other SQL, not the table. */
const OUTSIDE = /^(read_|parquet_|sniff_|pragma_|duckdb_|glob$|getenv$|query$|query_table$|current_setting$|which_secret$)/;

/** Why the text may not run; null: it is one SELECT without a trailing semicolon. */
function problemOf(tokens: Token[]): string | null {
  if (tokens[0]?.kind !== 'word' || !['select', 'with'].includes(tokens[0].text)) return 'Only SELECT queries run here.';
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (token.text === ';' && token.kind === 'mark') return 'Only one statement runs at a time.';
    if (token.kind === 'mark' && token.text === '(') {
      depth++;
      if (next?.kind === 'word' && CHANGES.has(next.text) && tokens[i + 2]?.kind !== 'mark') return 'Only SELECT queries run here.';
    }
    if (token.kind === 'mark' && token.text === ')') {
      if (--depth < 0) return 'A parenthesis is closed that was not opened.';
      if (next?.kind === 'word' && AFTER_WITH.has(next.text)) return 'Only SELECT queries run here.';
    }
    const calls = (token.kind === 'word' || token.kind === 'name') && next?.kind === 'mark' && next.text === '(';
    if (calls && OUTSIDE.test(token.text.toLowerCase())) return `The function ${token.text} is not available here.`;
  }
  return depth > 0 ? 'A parenthesis is not closed.' : null;
}

export type ReadSql = { sql: string; tokens: Token[] } | { refused: string };

/** The query without trailing semicolons, or a sentence. */
export function readQuery(text: string): ReadSql {
  const tokens = readTokens(text);
  if (!tokens) return { refused: `The query cannot be read: it is longer than ${SQL_MOST.toLocaleString('en-US')} characters, or a quote or a comment is not closed.` };
  while (tokens.at(-1)?.text === ';' && tokens.at(-1)?.kind === 'mark') tokens.pop();
  const refused = problemOf(tokens);
  return refused ? { refused } : { sql: text.slice(0, tokens.at(-1)!.to), tokens };
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
