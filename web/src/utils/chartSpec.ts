/** Chooses a chart for the rows of a step, as a Vega-Lite specification. */
import type { VisualizationSpec } from 'vega-embed';
import type { Column, Rows } from './rows';

export type Mark = 'bar' | 'line' | 'area' | 'point';

export interface ChartChoice {
  mark: Mark;
  x: Column;
  y: Column;
  colour: Column | null;
}

/** The prefix of Vega's zoom signals; they end with the axis: …_x, …_y. */
export const ZOOM = 'zoom';

const DATES = /^\d{4}-\d{2}(-\d{2})?([T ]|$)/;
const SERIES_MOST = 12;
const BARS_MOST = 60;

function distinct(rows: Rows, column: Column): number {
  return new Set(rows.rows.map((row) => String(row[column.name]))).size;
}

function isTime(rows: Rows, column: Column): boolean {
  if (column.kind === 'time') return true;
  const values = rows.rows.map((row) => row[column.name]).filter((v) => v !== null);
  return column.kind === 'text' && values.length > 0 && values.every((v) => DATES.test(String(v)));
}

function isId(column: Column): boolean {
  return /(^|_)id$/i.test(column.name);
}

/** Null if a chart is not useful: one row, or no measure. */
export function chooseChart(rows: Rows): ChartChoice | null {
  if (rows.rows.length < 2) return null;
  const measures = rows.columns.filter((c) => c.kind === 'number' && !isId(c));
  const others = rows.columns.filter((c) => c.kind !== 'number');
  const y = measures.at(-1);
  if (!y) return null;
  const time = others.find((c) => isTime(rows, c));
  const series = others.find((c) => c !== time && distinct(rows, c) <= SERIES_MOST);
  if (time) return { mark: 'line', x: time, y, colour: series ?? null };
  const name = others.find((c) => distinct(rows, c) <= BARS_MOST);
  if (name) {
    const second = others.find((c) => c !== name && distinct(rows, c) <= SERIES_MOST);
    return { mark: 'bar', x: name, y, colour: second ?? null };
  }
  const x = measures.find((c) => c !== y);
  return x ? { mark: 'point', x, y, colour: null } : null;
}

/** In Vega, dots and brackets in names have a meaning, so columns are referred to by number. */
export function valuesOf(rows: Rows, { x, y, colour }: ChartChoice): Record<string, unknown>[] {
  return rows.rows.map((row) => ({
    x: x.kind === 'number' ? Number(row[x.name]) : row[x.name],
    y: row[y.name] === null ? null : Number(row[y.name]),
    ...(colour ? { colour: String(row[colour.name]) } : {}),
  }));
}

function typeOf(rows: Rows, x: Column) {
  return x.kind === 'number' ? 'quantitative' : isTime(rows, x) ? 'temporal' : 'nominal';
}

/** Whether the axis is continuous; names are not. */
export function zooms(rows: Rows, { mark, x }: ChartChoice): boolean {
  return mark !== 'bar' && typeOf(rows, x) !== 'nominal';
}

export function chartSpec(rows: Rows, choice: ChartChoice, width: number, height: number): VisualizationSpec {
  const { mark, x, y, colour } = choice;
  const xType = typeOf(rows, x);
  const sideways = mark === 'bar' && xType === 'nominal' && distinct(rows, x) > 8;
  const across = { field: 'x', type: xType, title: x.name, sort: null } as const;
  const up = { field: 'y', type: 'quantitative', title: y.name } as const;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width,
    height: sideways ? { step: 20 } : height,
    autosize: { type: sideways ? 'fit-x' : 'fit', contains: 'padding' },
    data: { values: valuesOf(rows, choice) },
    mark: { type: mark, tooltip: true, ...(mark === 'line' ? { point: true } : {}) },
    ...(zooms(rows, choice) && { params: [{ name: ZOOM, select: 'interval', bind: 'scales' }] }),
    encoding: {
      x: sideways ? up : across,
      y: sideways ? across : up,
      ...(colour ? { color: { field: 'colour', type: 'nominal', title: colour.name } } : {}),
      tooltip: [
        { field: 'x', type: xType, title: x.name },
        { field: 'y', type: 'quantitative', title: y.name, format: ',' },
        ...(colour ? [{ field: 'colour', type: 'nominal', title: colour.name } as const] : []),
      ],
    },
  } as VisualizationSpec;
}
