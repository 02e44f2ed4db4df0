/** The profile of a file's table, as rows for display. */
import type { DatasetColumn, DatasetTable } from '../api/types';
import { kindOf, type Column, type Row, type Rows } from './rows';

/** A table cannot be rendered with thousands of columns; the list of columns has them all. */
const COLUMNS_MOST = 40;

function whole(columns: Column[], rows: Row[]): Rows {
  return { columns, rows, total: rows.length, truncated: false };
}

const PROFILE: Column[] = [
  { name: 'Column', type: '', kind: 'text' },
  { name: 'Type', type: '', kind: 'text' },
  { name: 'Nulls', type: '', kind: 'number' },
  { name: 'Distinct', type: '', kind: 'number' },
  { name: 'Smallest', type: '', kind: 'text' },
  { name: 'Largest', type: '', kind: 'text' },
];

/** PostgreSQL's names for types, in words. */
const TYPES: Record<string, string> = {
  int8: 'whole number', int4: 'whole number', int2: 'whole number', numeric: 'decimal number', float8: 'number', float4: 'number',
  text: 'text', bool: 'yes or no', date: 'date', timestamp: 'date and time', timestamptz: 'date and time, with zone',
  time: 'time of day', interval: 'duration', bytea: 'bytes', json: 'JSON', uuid: 'UUID',
};

export function typeName(type: string): string {
  return TYPES[type.toLowerCase()] ?? type;
}

function profileOf({ name, type, nulls, distinct, min, max }: DatasetColumn): Row {
  return { Column: name, Type: typeName(type), Nulls: nulls ?? null, Distinct: distinct ?? null, Smallest: min ?? null, Largest: max ?? null };
}

const COUNTED: Column = { name: 'Distinct is', type: '', kind: 'text' };

/** A row for each column: type, nulls, distinct values, range; and whether the distinct values were estimated, if any were. */
export function columnRows({ columns }: DatasetTable): Rows {
  if (!columns.some(({ approximate }) => approximate)) return whole(PROFILE, columns.map(profileOf));
  const counted = ({ distinct, approximate }: DatasetColumn) => (typeof distinct !== 'number' ? null : approximate ? 'an estimate' : 'exact');
  return whole([...PROFILE, COUNTED], columns.map((column) => ({ ...profileOf(column), [COUNTED.name]: counted(column) })));
}

export function sampleRows(table: DatasetTable): Rows {
  const columns = table.columns.slice(0, COLUMNS_MOST).map(({ name, type }) => ({ name, type, kind: kindOf(type) }));
  // Own properties: a column may be called "constructor".
  const cell = (row: object, name: string) => (Object.hasOwn(row, name) ? (row as Row)[name]! : null);
  const rows = (table.sample_rows as Row[]).map((row) => Object.fromEntries(columns.map(({ name }) => [name, cell(row, name)])));
  return whole(columns, rows);
}

function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;
}

/** "rentals.csv: 400 rows, 8 columns" */
export function describeTable({ name, sheet, rows, columns }: DatasetTable): string {
  const from = sheet ? `${name}, sheet ${sheet}` : name;
  return `${from}: ${counted(rows, 'row')}, ${counted(columns.length, 'column')}`;
}
