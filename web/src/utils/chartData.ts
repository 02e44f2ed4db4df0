/** The points of a chart. What is summed or left out is said in its notes. */
import { isMeasure, SERIES_MOST, xTypeOf, type ChartChoice, type Mark, type XType } from './chartChoice';
import { isIncomplete, periodLabel, periodUnit, timeOf, type Coverage } from './periods';
import { EMPTY, formatCell, formatNumber, type Cell, type Column, type Rows } from './rows';
import { withUnit } from './units';

export interface Point {
  /** Milliseconds, a number or a name. */
  x: number | string;
  y: number;
  series?: string;
  xText: string;
  yText: string;
  incomplete?: boolean;
}

export interface ChartData {
  points: Point[];
  mark: Mark;
  xType: XType;
  /** The names of the x axis, in the order of the rows; empty for the others. */
  names: string[];
  series: string[];
  /** The parts of a time axis that lead from or to a value of an incomplete period. */
  bands: { x: number; x2: number }[];
  /** Whether values of the measure may be added up. */
  additive: boolean;
  notes: string[];
}

export interface DataOptions {
  grain?: string;
  coverage?: Coverage | null;
}

const NAMES_MOST = 40;
const NOT_ADDED = /(^|[^a-z])(avg|average|mean|median|min|minimum|max|maximum|rate|ratio|share|pct|percent|percentage|price|score|margin|per|rank)([^a-z]|$)|%/i;

const count = (n: number) => n.toLocaleString('en-US');

/** Postgres writes money as "$1,234.50". */
export function numberOf(cell: Cell | undefined): number | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const plain = Number(cell);
  if (Number.isFinite(plain)) return plain;
  const money = /^\(?-?\s*\p{Sc}\s*-?[\d,]+(\.\d+)?\)?$/u.test(String(cell)) ? Number(String(cell).replaceAll(/[^\d.]/g, '')) : NaN;
  if (!Number.isFinite(money)) return null;
  return /[-(]/.test(String(cell)) ? -money : money;
}

export function isAdditive({ name, unit }: Column): boolean {
  return !NOT_ADDED.test(name) && unit?.kind !== 'percent';
}

function decimals(cell: Cell | undefined): number {
  return Math.min(6, /\.(\d+)$/.exec(String(cell ?? ''))?.[1]?.length ?? 0);
}

/** Those with the largest totals, in the order they came. */
function largest(totals: Map<string, number>, most: number): string[] {
  const chosen = new Set([...totals].toSorted((a, b) => b[1] - a[1]).slice(0, most).map(([name]) => name));
  return [...totals.keys()].filter((name) => chosen.has(name));
}

function totalsBy(points: Point[], of: (point: Point) => string): Map<string, number> {
  const totals = new Map<string, number>();
  for (const point of points) totals.set(of(point), (totals.get(of(point)) ?? 0) + Math.abs(point.y));
  return totals;
}

interface Reading {
  points: Point[];
  digits: number;
  left: number;
}

function readPoints(rows: Rows, { x, y, series }: ChartChoice, xType: XType): Reading {
  const read: Reading = { points: [], digits: 0, left: 0 };
  for (const row of rows.rows) {
    const value = numberOf(row[y.name]);
    const raw = row[x.name] ?? null;
    const at = xType === 'time' ? timeOf(raw) : xType === 'number' ? numberOf(raw) : raw === null ? EMPTY : formatCell(raw, x.kind, x);
    if (value === null || at === null) {
      read.left++;
      continue;
    }
    read.digits = Math.max(read.digits, decimals(row[y.name]));
    read.points.push({
      x: at, y: value,
      xText: raw === null ? EMPTY : formatCell(raw, x.kind, x), yText: formatCell(row[y.name], y.kind, y),
      ...(series ? { series: row[series.name] === null ? EMPTY : formatCell(row[series.name], series.kind, series) } : {}),
    });
  }
  return read;
}

/** The points with equal x and series as one, if sums of the measure mean something. */
function summed({ points, digits }: Reading, y: Column): Point[] {
  const sums = new Map<string, Point>();
  for (const point of points) {
    const id = JSON.stringify([point.x, point.series]);
    const before = sums.get(id);
    sums.set(id, before ? { ...before, y: before.y + point.y } : point);
  }
  return [...sums.values()].map((point) =>
    ({ ...point, y: Number(point.y.toFixed(digits)), yText: withUnit(formatNumber(point.y.toFixed(digits)), y.unit) }));
}

function hasEqualPlaces(points: Point[]): boolean {
  return new Set(points.map((point) => JSON.stringify([point.x, point.series]))).size < points.length;
}

function markPeriods(data: ChartData, x: Column, { grain = '', coverage = null }: DataOptions): void {
  const times = [...new Set(data.points.map((point) => point.x as number))].sort((a, b) => a - b);
  const unit = periodUnit(times, x.name, grain);
  if (!unit) return;
  for (const point of data.points) {
    point.xText = periodLabel(point.x as number, unit);
    if (coverage && isIncomplete(point.x as number, unit, coverage)) point.incomplete = true;
  }
  const incomplete = times.map((time) => coverage !== null && isIncomplete(time, unit, coverage));
  times.slice(1).forEach((time, i) => {
    if (incomplete[i] || incomplete[i + 1]) data.bands.push({ x: times[i]!, x2: time });
  });
  const named = times.filter((_time, i) => incomplete[i]).map((time) => periodLabel(time, unit));
  if (named.length === 0) return;
  const list = named.length > 3 ? `${named[0]} to ${named.at(-1)}` : named.join(', ');
  data.notes.push(`Not complete: ${list}. ${named.length === 1 ? 'This period is' : 'These periods are'} only partly in the data.`);
}

/** Keeps what a reader can distinguish: the largest names and series. */
function bound(data: ChartData, { x, series }: ChartChoice): void {
  if (series) {
    const totals = totalsBy(data.points, (point) => point.series!);
    data.series = largest(totals, SERIES_MOST);
    if (totals.size > SERIES_MOST) {
      data.notes.push(`The ${SERIES_MOST} largest of ${count(totals.size)} series (${series.name}) are drawn.`);
      const kept = new Set(data.series);
      data.points = data.points.filter((point) => kept.has(point.series!));
    }
  }
  if (data.xType !== 'name') return;
  const totals = totalsBy(data.points, (point) => String(point.x));
  data.names = largest(totals, NAMES_MOST);
  if (totals.size <= NAMES_MOST) return;
  data.notes.push(`The ${NAMES_MOST} largest of ${count(totals.size)} (${x.name}) are drawn.`);
  const kept = new Set(data.names);
  data.points = data.points.filter((point) => kept.has(String(point.x)));
}

export function chartData(rows: Rows, choice: ChartChoice, options: DataOptions = {}): ChartData {
  const { x, y, series } = choice;
  const xType = xTypeOf(rows, x);
  const read = readPoints(rows, choice, xType);
  const additive = isAdditive(y);
  const data: ChartData = { points: read.points, mark: choice.mark, xType, names: [], series: [], bands: [], additive, notes: [] };
  if (choice.mark !== 'point' && hasEqualPlaces(read.points)) {
    const place = series ? `${x.name} and ${series.name}` : x.name;
    if (additive) {
      data.points = summed(read, y);
      data.notes.push(`Rows with the same ${place} are added up.`);
    } else {
      data.mark = 'point';
      data.notes.push(`Several rows have the same ${place}. Each is a point, because ${y.name} cannot be added up.`);
    }
  }
  bound(data, choice);
  if (xType === 'time') markPeriods(data, x, options);
  if (read.left > 0) data.notes.push(`${count(read.left)} ${read.left === 1 ? 'row has' : 'rows have'} no ${isMeasure(y) ? y.name : 'value'} or no ${x.name}, and ${read.left === 1 ? 'is' : 'are'} not drawn.`);
  return data;
}
