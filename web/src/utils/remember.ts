import type { LocalResult, LocalTable } from './disclosure';

const RESULTS_MOST = 32;
/** Larger results are asked for again. */
const CELLS_MOST = 20_000;

/**
 * The same table; a query that it has answered is answered again without the engine. The table does not change, and
 * models draw charts of queries that they have just run: in a large file, each takes seconds. What a person sees in
 * the table of a query and in its chart are the same rows, also if the query leaves their order open.
 */
export function remembering(table: LocalTable): LocalTable {
  const results = new Map<string, Promise<LocalResult>>();
  const query = (sql: string) => {
    const known = results.get(sql);
    if (known) return known;
    const made = table.query(sql);
    const forget = () => results.get(sql) === made && results.delete(sql);
    results.set(sql, made);
    const oldest = results.keys().next();
    if (results.size > RESULTS_MOST && !oldest.done) results.delete(oldest.value);
    made.then(({ columns, rows }) => columns.length * rows.length > CELLS_MOST && forget(), forget);
    return made;
  };
  return { columns: table.columns, rowCount: table.rowCount, query };
}
