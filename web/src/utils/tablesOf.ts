/** Which tables a query reads, for a label: by its words, not by a parser. */
const TABLE = /\b(?:from|join)\s+((?:"[^"]{1,63}"|[a-z_][\w$]*)(?:\s*\.\s*(?:"[^"]{1,63}"|[a-z_][\w$]*)){0,2})/gi;
const TABLES_SHOWN = 3;

/** The tables that a query reads, without its own names of parts of it: "orders, stores". */
export function tablesOf(sql: string): string {
  // EXTRACT(year FROM day) and IS DISTINCT FROM read no table.
  const start = sql.slice(0, 30_000).replaceAll(/\b(?:(?:extract|substring|trim|overlay)\s*\([^()]{0,200}?\bfrom|distinct\s+from)\b/gi, '(');
  const own = new Set([...start.matchAll(/(?:\bwith\s+(?:recursive\s+)?|,\s*)"?(\w+)"?\s+as\s*(?:(?:not\s+)?materialized\s*)?\(/gi)].map((match) => match[1]!.toLowerCase()));
  const names = [...start.matchAll(TABLE)].map((match) => match[1]!.split('.').at(-1)!.trim().replaceAll('"', ''));
  const tables = [...new Set(names)].filter((name) => !own.has(name.toLowerCase()));
  const more = tables.length - TABLES_SHOWN;
  return tables.slice(0, TABLES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
