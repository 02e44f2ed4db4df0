/** The values of a figure as rows: for those who do not see the chart, and for kinds that are not drawn. */
import { listOf, titleOf, type Figure, type Json, type Trace } from './plotlyFigure';
import type { Cell, Column, Row, Rows } from './rows';

const ROWS_MOST = 10_000;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function cell(value: unknown): Cell {
  return value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value).slice(0, 200)
    : typeof value === 'string' ? value.replaceAll('&lt;', '<') : (value as Cell);
}

function column(name: string, rows: Cell[][], at: number): Column {
  const values = rows.map((row) => row[at]).filter((value) => value !== null);
  return { name, type: '', kind: values.length > 0 && values.every((value) => typeof value === 'number') ? 'number' : 'text' };
}

function valuesOf(trace: Trace): Cell[][] {
  const pie = trace.type === 'pie';
  const [x, y, z] = [listOf(pie ? trace.labels : trace.x), listOf(pie ? trace.values : trace.y), listOf(trace.z)];
  if (Array.isArray(z[0]))
    return z.flatMap((row, i) => listOf(row).map((value, k) => [cell(x[k] ?? k), cell(y[i] ?? i), cell(value)]));
  const places = Array.from({ length: Math.min(ROWS_MOST, Math.max(x.length, y.length, z.length)) });
  return places.map((_, i) => [cell(x[i]), cell(y[i]), cell(z[i])]);
}

/** Columns that hold nothing are left out, and so is the series if there is one only. */
export function figureRows({ given, layout }: Figure): Rows {
  const title = (key: string, otherwise: string) => (isObject(layout[key]) && titleOf((layout[key] as Json).title)) || otherwise;
  const all = given.flatMap((trace, i) => valuesOf(trace).map((values): Cell[] => [cell(trace.name ?? `series ${i + 1}`), ...values]));
  const cells = all.slice(0, ROWS_MOST);
  const pies = given.every(({ type }) => type === 'pie');
  const names = ['Series', pies ? 'Label' : title('xaxis', 'x'), pies ? 'Value' : title('yaxis', 'y'), 'Value'];
  // Two columns may not have one name.
  const unique = names.map((name, i) => (names.indexOf(name) < i ? `${name} (${i})` : name));
  const columns = unique.map((name, at) => column(name, cells, at));
  const shown = columns.filter((_, at) => (at === 0 ? given.length > 1 : cells.some((row) => row[at] !== null)));
  const rows = cells.map((row): Row => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
  return { columns: shown, rows, total: all.length, truncated: false };
}
