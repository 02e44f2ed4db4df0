/**
 * The person's file as a table of DuckDB in this browser. The engine runs in a worker and is
 * loaded from our own origin; after the file is loaded, it can reach nothing but the table.
 */
import { AsyncDuckDB, DuckDBDataProtocol, VoidLogger, type AsyncDuckDBConnection } from '@duckdb/duckdb-wasm';
import wasm from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url';
import script from '@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?url';
import { TABLE, type TableColumn } from './aggregateQuery';
import type { LocalResult, LocalTable } from './disclosure';
import { quoteName, quoteText } from './sqlText';
import { kindOfFile, readJson, readParquet, type CsvTable } from './tableFile';

const START_MS = 60_000;
const LOAD_MS = 300_000;
const QUERY_MS = 25_000;
export const ROWS_MOST = 1000;
const COLUMNS_MOST = 500;
const CELL_MOST = 2_000;
const MEMORY = '2GB';

class TimeoutError extends Error {}

function within<T>(promise: Promise<T>, ms: number, sentence: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(sentence)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The statement that loads a CSV, with the types that are known. */
function loadSql(name: string, table: CsvTable | null): string {
  if (!table) return `CREATE TABLE ${TABLE} AS SELECT * FROM read_csv(${quoteText(name)}, sample_size = 100000)`;
  const columns = table.columns.map(({ name: column, type }) => `${quoteText(column)}: ${quoteText(type)}`).join(', ');
  const options = `header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false, columns = {${columns}}`;
  return `CREATE TABLE ${TABLE} AS SELECT * FROM read_csv(${quoteText(name)}, ${options})`;
}

/** Nothing but the table can be reached from now on, and no statement can change that. */
const LOCKS = ['SET enable_external_access = false', 'SET lock_configuration = true'];
const LIMITS = [
  'SET autoinstall_known_extensions = false', 'SET autoload_known_extensions = false', `SET memory_limit = '${MEMORY}'`,
];

function plainError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory|memory access out of bounds|allocat/i.test(message)) return new Error('The browser has not enough memory for this.');
  return new Error(message);
}

async function rowsOf(connection: AsyncDuckDBConnection, sql: string, width: number): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  for await (const batch of await connection.send(sql)) {
    const columns = Array.from({ length: width }, (_unused, i) => batch.getChildAt(i));
    for (let k = 0; k < batch.numRows; k++)
      rows.push(columns.map((column) => {
        const cell: unknown = column?.get(k);
        return cell === null || cell === undefined ? null : String(cell).slice(0, CELL_MOST);
      }));
  }
  return rows;
}

export class BrowserTable implements LocalTable {
  columns: TableColumn[] = [];
  rowCount = 0;
  private worker: Worker | null = null;
  private connection: AsyncDuckDBConnection | null = null;
  /** Queries run one after the other. */
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  private constructor(readonly file: File) {}

  /** Rejects with a sentence. */
  static async open(file: File): Promise<BrowserTable> {
    kindOfFile(file);
    const table = new BrowserTable(file);
    try {
      await table.load();
    } catch (error) {
      table.close();
      throw plainError(error);
    }
    return table;
  }

  private async start(): Promise<AsyncDuckDB> {
    this.worker = new Worker(script);
    const database = new AsyncDuckDB(new VoidLogger(), this.worker);
    const failed = new Promise<never>((_resolve, reject) => {
      this.worker!.addEventListener('error', () => reject(new Error('The database could not be started in this browser.')));
    });
    await within(Promise.race([database.instantiate(wasm), failed]), START_MS, 'The database did not start within a minute.');
    await database.open({ path: ':memory:' });
    return database;
  }

  private async load(): Promise<void> {
    const kind = kindOfFile(this.file);
    const csv = kind === 'json' ? await readJson(this.file) : kind === 'parquet' ? await readParquet(this.file) : null;
    const source = csv ? new File(csv.parts, 'table.csv') : this.file;
    const database = await this.start();
    const name = /\.tsv$/i.test(this.file.name) ? 'table.tsv' : 'table.csv';
    await database.registerFileHandle(name, source, DuckDBDataProtocol.BROWSER_FILEREADER, true);
    const connection = await database.connect();
    for (const sql of LIMITS) await connection.query(sql);
    await within(connection.query(loadSql(name, csv)), LOAD_MS, 'The file could not be loaded within 5 minutes.');
    await database.dropFile(name);
    for (const sql of LOCKS) await connection.query(sql);
    this.connection = connection;
    this.columns = (await rowsOf(connection, `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '${TABLE}' ORDER BY ordinal_position`, 2))
      .map(([column, type]) => ({ name: column!, type: type! }));
    if (this.columns.length > COLUMNS_MOST) throw new Error(`The file has ${this.columns.length} columns; the browser explores up to ${COLUMNS_MOST}.`);
    this.rowCount = Number((await rowsOf(connection, `SELECT count(*)::VARCHAR FROM ${TABLE}`, 1))[0]![0]);
    if (this.rowCount === 0) throw new Error('The file has no rows.');
  }

  /** After a query that did not end: the worker is ended with it, and the file is loaded again. */
  private async restart(): Promise<void> {
    this.worker?.terminate();
    this.connection = null;
    await this.load();
  }

  private async run(sql: string): Promise<LocalResult> {
    if (this.closed) throw new Error('The file is closed.');
    if (!this.connection) await this.restart();
    const connection = this.connection!;
    const work = async () => {
      const described = await connection.query(`DESCRIBE ${sql}`);
      const columns: string[] = [];
      const types: string[] = [];
      for (let k = 0; k < described.numRows; k++) {
        columns.push(String(described.getChildAt(0)!.get(k)));
        types.push(String(described.getChildAt(1)!.get(k)));
      }
      const names = columns.map((_name, i) => quoteName(`c${i}`));
      const texts = names.map((name) => `${name}::VARCHAR`).join(', ');
      const wrapped = `SELECT ${texts} FROM (${sql}\n) AS q(${names.join(', ')}) LIMIT ${ROWS_MOST + 1}`;
      const rows = await rowsOf(connection, wrapped, columns.length);
      return { columns, types, rows: rows.slice(0, ROWS_MOST), truncated: rows.length > ROWS_MOST };
    };
    try {
      return await within(work(), QUERY_MS, `The query did not end within ${QUERY_MS / 1000} s. Ask for less, or filter first.`);
    } catch (error) {
      if (error instanceof TimeoutError) {
        this.worker?.terminate();
        this.connection = null;
      }
      throw plainError(error);
    }
  }

  query(sql: string): Promise<LocalResult> {
    const mine = this.last.then(() => this.run(sql));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  close(): void {
    this.closed = true;
    this.worker?.terminate();
    this.worker = null;
    this.connection = null;
  }
}
