/** Datasets: files that were uploaded together. These paths have names in snake_case and no envelope. */
import { errorOf } from './errors';
import { authorizedFetch } from './session';

/** uploading: not all files are whole; preparing: its model is being made. */
export type DatasetStatus = 'uploading' | 'preparing' | 'ready' | 'failed';

export interface Dataset {
  id: string;
  name: string;
  description: string | null;
  status: DatasetStatus;
  /** Why it failed. */
  failure?: string | null;
  ontology_id?: string | null;
  bytes?: number | null;
  rows?: number | null;
  created_at?: string | null;
  /** Of a new dataset: files that cannot be read, and were left out. */
  problems?: { filename: string; message: string }[];
}

export interface FileColumn {
  name: string;
  type: string;
  nulls: number | null;
  distinct: number | null;
  min: string | null;
  max: string | null;
}

type Cell = string | null;

export interface FileTable {
  /** The table as questions and SQL call it. */
  name: string;
  filename: string;
  sheet: string | null;
  rows: number | null;
  columns: FileColumn[];
  /** The first rows; a cell for each column. */
  sample: Cell[][];
  notes: string[];
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | null => (value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value));
const count = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

function columnOf(value: unknown): FileColumn[] {
  if (!isObject(value) || typeof value.name !== 'string') return [];
  return [{
    name: value.name, type: text(value.type) ?? '', nulls: count(value.nulls), distinct: count(value.distinct),
    min: text(value.min), max: text(value.max),
  }];
}

/** `schema` of a file maps each column to its type; it is there also without a profile. */
function columnsOf(file: Json): FileColumn[] {
  const profiled = list(file.columns).flatMap(columnOf);
  if (profiled.length > 0 || !isObject(file.schema)) return profiled;
  return Object.entries(file.schema).flatMap(([name, type]) => columnOf({ name, type }));
}

function rowOf(row: unknown, columns: FileColumn[]): Cell[] {
  if (Array.isArray(row)) return columns.map((_column, i) => text(row[i]));
  return columns.map(({ name }) => (isObject(row) && Object.hasOwn(row, name) ? text(row[name]) : null));
}

/** The tables of `GET /datasets/:id/schema`. */
export function tablesOf(body: unknown): FileTable[] {
  const files = isObject(body) ? list(body.files) : [];
  return files.filter(isObject).map((file) => {
    const columns = columnsOf(file);
    const name = text(file.name) ?? '';
    return {
      name: text(file.table_name) ?? name, filename: name, sheet: text(file.sheet), columns,
      rows: count(file.rows) ?? count(file.row_count),
      sample: list(file.sample_rows).map((row) => rowOf(row, columns)),
      notes: list(file.notes).flatMap((note) => text(note) ?? []),
    };
  });
}

async function ask(path: string, method = 'GET'): Promise<Response> {
  // Without it, a server would answer a path like a page's with the page.
  const response = await authorizedFetch(path, { method, headers: { Accept: 'application/json' } });
  if (!response.ok) throw await errorOf(response);
  return response;
}

const at = (id: string) => `/datasets/${encodeURIComponent(id)}`;

export async function getDatasets(): Promise<Dataset[]> {
  const body: unknown = await (await ask('/datasets')).json();
  return isObject(body) ? (list(body.datasets) as Dataset[]) : [];
}

export async function getDataset(id: string): Promise<Dataset> {
  return (await (await ask(at(id))).json()) as Dataset;
}

export async function getTables(id: string): Promise<FileTable[]> {
  return tablesOf(await (await ask(`${at(id)}/schema`)).json());
}

export async function deleteDataset(id: string): Promise<void> {
  await ask(at(id), 'DELETE');
}

export async function restoreDataset(id: string): Promise<void> {
  await ask(`${at(id)}/restore`, 'POST');
}
