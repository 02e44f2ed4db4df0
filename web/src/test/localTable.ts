/** A table of DuckDB in Node: the same engine as in the browser, of the same version. */
import { createRequire } from 'node:module';
import type { LocalResult, LocalTable } from '../utils/disclosure';
import { quoteName } from '../utils/sqlText';

const need = createRequire(import.meta.url);

interface Blocking {
  instantiate: (progress: () => void) => Promise<unknown>;
  connect: () => { query: (sql: string) => { numRows: number; getChildAt: (i: number) => { get: (k: number) => unknown } | null } };
}

/** Made of CREATE TABLE t_parsed statements. */
export async function localTable(...statements: string[]): Promise<LocalTable> {
  const folder = need.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm').replace(/duckdb-eh\.wasm$/, '');
  const duckdb = need(`${folder}duckdb-node-blocking.cjs`) as {
    createDuckDB: (bundles: object, logger: object, runtime: object) => Promise<Blocking>; VoidLogger: new () => object; NODE_RUNTIME: object;
  };
  const bundle = (name: string) => ({ mainModule: `${folder}duckdb-${name}.wasm`, mainWorker: '' });
  const database = await duckdb.createDuckDB({ mvp: bundle('mvp'), eh: bundle('eh') }, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
  await database.instantiate(() => undefined);
  const connection = database.connect();
  statements.forEach((sql) => connection.query(sql));
  const text = (cell: unknown) => (cell === null || cell === undefined ? null : String(cell));
  const run = (sql: string): LocalResult => {
    const described = connection.query(`DESCRIBE ${sql}`);
    const column = (i: number) => Array.from({ length: described.numRows }, (_unused, k) => String(described.getChildAt(i)!.get(k)));
    const [columns, types] = [column(0), column(1)];
    const names = columns.map((_name, i) => quoteName(`c${i}`));
    const found = connection.query(`SELECT ${names.map((name) => `${name}::VARCHAR`).join(', ')} FROM (${sql}\n) AS q(${names.join(', ')}) LIMIT 1001`);
    const rows = Array.from({ length: found.numRows }, (_unused, k) => columns.map((_name, i) => text(found.getChildAt(i)!.get(k))));
    return { columns, types, rows: rows.slice(0, 1000), truncated: rows.length > 1000 };
  };
  const about = run("SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 't_parsed' ORDER BY ordinal_position");
  return {
    columns: about.rows.map(([name, type]) => ({ name: name!, type: type! })),
    rowCount: Number(run('SELECT count(*) FROM t_parsed').rows[0]![0]),
    query: (sql) => new Promise((resolve) => resolve(run(sql))),
  };
}
