/** Files that the browser's own database can read, and what it cannot. CSV and TSV are read by the engine itself; Parquet and JSON become CSV here. */
import type { TableColumn } from './aggregateQuery';

export type FileKind = 'csv' | 'parquet' | 'json';
export const ACCEPT = '.csv,.tsv,.txt,.parquet,.json,.jsonl,.ndjson';

const MIB = 1024 * 1024;
/** The engine has 32-bit addresses, and the table must fit into them. */
const MOST: Record<FileKind, number> = { csv: 1024 * MIB, parquet: 128 * MIB, json: 64 * MIB };
const KINDS: Record<string, FileKind> = {
  csv: 'csv', tsv: 'csv', txt: 'csv', parquet: 'parquet', json: 'json', jsonl: 'json', ndjson: 'json',
};
const COLUMNS_MOST = 500;
const NAME_MOST = 255;

function sizeText(bytes: number): string {
  return bytes >= 1024 * MIB ? `${(bytes / 1024 / MIB).toFixed(1)} GB` : `${Math.round(bytes / MIB)} MB`;
}

/** The kind of the file; throws a sentence if it cannot be read here. */
export function kindOfFile({ name, size }: Pick<File, 'name' | 'size'>): FileKind {
  const ending = name.toLowerCase().split('.').at(-1) ?? '';
  const kind = KINDS[ending];
  if (ending === 'xlsx' || ending === 'xls')
    throw new Error('Excel files cannot be read in the browser. Save the sheet as CSV, or upload the file on the Data page.');
  if (!kind) throw new Error(`"${name}" cannot be read in the browser: it must be a CSV, TSV, Parquet or JSON file.`);
  if (size === 0) throw new Error(`"${name}" is empty.`);
  if (size > MOST[kind])
    throw new Error(`"${name}" has ${sizeText(size)}. The browser can explore ${kind === 'csv' ? 'CSV' : kind === 'json' ? 'JSON' : 'Parquet'} files of up to ${sizeText(MOST[kind])}; filter it, or upload it on the Data page.`);
  return kind;
}

/** A table as CSV text, with its columns. Every text is quoted; an empty field without quotes is null. */
export interface CsvTable {
  columns: TableColumn[];
  parts: BlobPart[];
}

type Cell = unknown;

export function typeOfCells(cells: Iterable<Cell>): string {
  let type = '';
  const widen = (next: string) => {
    const numbers = ['BIGINT', 'DOUBLE'];
    if (type === '' || type === next) type = next;
    else if (numbers.includes(type) && numbers.includes(next)) type = 'DOUBLE';
    else type = 'VARCHAR';
  };
  for (const cell of cells) {
    if (cell === null || cell === undefined) continue;
    if (typeof cell === 'boolean') widen('BOOLEAN');
    else if (typeof cell === 'bigint') widen('BIGINT');
    else if (typeof cell === 'number') widen(Number.isSafeInteger(cell) ? 'BIGINT' : 'DOUBLE');
    else if (cell instanceof Date) widen('TIMESTAMP');
    else if (typeof cell === 'string') widen(/^\d{4}-\d{2}-\d{2}$/.test(cell) ? 'DATE' : /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(cell) ? 'TIMESTAMP' : 'VARCHAR');
    else widen('VARCHAR');
    if (type === 'VARCHAR') break;
  }
  return type || 'VARCHAR';
}

function textOf(cell: Cell): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().replace('T', ' ').replace('Z', '');
  if (typeof cell === 'object') return JSON.stringify(cell, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return String(cell);
}

function field(cell: Cell): string {
  if (cell === null || cell === undefined || (typeof cell === 'number' && !Number.isFinite(cell))) return '';
  return `"${textOf(cell).replaceAll('"', '""')}"`;
}

/** Rows per part: keeps strings short. */
const PART = 10_000;

export function csvOf(names: string[], rows: Cell[][]): CsvTable {
  if (names.length > COLUMNS_MOST) throw new Error(`The file has ${names.length} columns; the browser explores up to ${COLUMNS_MOST}.`);
  if (names.length === 0 || rows.length === 0) throw new Error('The file has no rows.');
  const columns = names.map((name, i) => ({
    name: (name || `column${i}`).slice(0, NAME_MOST),
    type: typeOfCells((function* () { for (const row of rows) yield row[i]; })()),
  }));
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += PART)
    parts.push(rows.slice(at, at + PART).map((row) => `${names.map((_name, i) => field(row[i])).join(',')}\n`).join(''));
  return { columns, parts };
}

function rowsOfObjects(objects: unknown[]): CsvTable {
  const names = new Map<string, number>();
  for (const object of objects) {
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw new Error('The JSON file must be an array of objects, or one object a line.');
    for (const name of Object.keys(object)) if (!names.has(name) && names.size <= COLUMNS_MOST) names.set(name, names.size);
  }
  const list = [...names.keys()];
  return csvOf(list, objects.map((object) => list.map((name) => (object as Record<string, unknown>)[name])));
}

function parsed(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) return JSON.parse(trimmed) as unknown[];
  const lines = trimmed.split('\n').filter((line) => line.trim());
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch (error) {
    if (trimmed.startsWith('{') && lines.length > 1) return [JSON.parse(trimmed)];
    throw error;
  }
}

export async function readJson(file: Blob): Promise<CsvTable> {
  let objects: unknown[];
  try {
    objects = parsed(await file.text());
  } catch {
    throw new Error('The file is not valid JSON.');
  }
  return rowsOfObjects(objects);
}

/** Loads the readers only when a Parquet file is opened. */
export async function readParquet(file: Blob): Promise<CsvTable> {
  const [{ parquetMetadataAsync, parquetReadObjects }, { decompress }] = await Promise.all([import('hyparquet'), import('fzstd')]);
  const source = {
    byteLength: file.size,
    slice: async (from: number, to?: number) => file.slice(from, to).arrayBuffer(),
  };
  const metadata = await parquetMetadataAsync(source).catch(() => {
    throw new Error('The file is not a valid Parquet file.');
  });
  if (metadata.num_rows > 5_000_000n) throw new Error('The Parquet file has more than 5,000,000 rows. Filter it, or upload it on the Data page.');
  const codecs = new Set(metadata.row_groups.flatMap((group) => group.columns.map((column) => column.meta_data?.codec ?? 'UNCOMPRESSED')));
  const unknown = [...codecs].find((codec) => !['UNCOMPRESSED', 'SNAPPY', 'ZSTD'].includes(codec));
  if (unknown) throw new Error(`The Parquet file is compressed with ${unknown}, which the browser cannot read. SNAPPY and ZSTD work.`);
  const objects = await parquetReadObjects({ file: source, metadata, compressors: { ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)) } });
  return rowsOfObjects(objects);
}
