/** Which columns of a result a chart shows, and how. */
import { timeOf } from './periods';
import type { Column, Rows } from './rows';

export type Mark = 'bar' | 'line' | 'area' | 'point';

export interface ChartChoice {
  mark: Mark;
  x: Column;
  y: Column;
  series: Column | null;
}

/** What the plan and the question say about the chart. */
export interface ChartHints {
  /** The measures of the plan, the most important first. */
  metrics?: string[];
  mark?: Mark | null;
}

export type XType = 'time' | 'number' | 'name';

export const SERIES_MOST = 12;
const FEW_NAMES = 60;

const ID = /(^|_)id$/i;
/** "year", "order_month", "day_of_week"; not "days", "orders_this_month" or "revenue_per_day", which are amounts. */
const CALENDAR = /^(?:(?:order|sales?|fiscal|calendar|iso|birth|start|end|hire|event|report|invoice|payment|ship|delivery|created|signup)[_ ])?(?:year|quarter|month|week|weekday|day|hour|dow)(?:[_ ](?:of|number|no|num)(?:[_ ]\w+)?)?$/i;

function valuesOf(rows: Rows, column: Column): string[] {
  return rows.rows.map((row) => row[column.name]).filter((v) => v !== null && v !== undefined).map(String);
}

function distinct(rows: Rows, column: Column): number {
  return new Set(valuesOf(rows, column)).size;
}

/** "2025", "month 3": numbers that name a period, and are not added up. EXTRACT makes them numeric. */
export function isCalendar(column: Column): boolean {
  return column.kind === 'number' && CALENDAR.test(column.name);
}

export const isId = (column: Column): boolean => ID.test(column.name);

export const isMeasure = (column: Column): boolean => column.kind === 'number' && !isId(column) && !isCalendar(column);

export function xTypeOf(rows: Rows, column: Column): XType {
  if (isCalendar(column) || isId(column)) return 'name';
  if (column.kind === 'number') return 'number';
  const values = valuesOf(rows, column);
  return values.length > 0 && values.every((v) => timeOf(v) !== null) ? 'time' : 'name';
}

const wordsOf = (name: string) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** How well a column's name is that of a metric: 3 the same, 2 one has all words of the other, 1 a common word. */
function likeness(column: Column, metric: string): number {
  const [a, b] = [wordsOf(column.name), wordsOf(metric)];
  if (a.join(' ') === b.join(' ')) return 3;
  const common = a.filter((word) => b.includes(word)).length;
  return common === 0 ? 0 : common === a.length || common === b.length ? 2 : 1;
}

/** The measure that the plan names first; the last one if it names none. */
function measureOf(measures: Column[], metrics: string[]): Column | undefined {
  for (const least of [3, 2, 1])
    for (const metric of metrics) {
      const found = measures.find((column) => likeness(column, metric) >= least);
      if (found) return found;
    }
  return measures.at(-1);
}

const MARKS: Record<XType, Mark> = { time: 'line', number: 'point', name: 'bar' };

/** The columns that may divide the measure into series. */
export function seriesColumns(rows: Rows, x: Column): Column[] {
  return rows.columns.filter((c) => c !== x && !isMeasure(c) && !isId(c) && c.kind !== 'time' && distinct(rows, c) > 1);
}

/** The choice with another x, y or series; `series`: null for none, undefined for the one that fits. */
export function choiceOf(rows: Rows, x: Column, y: Column, series: Column | null | undefined, mark: Mark | null): ChartChoice {
  const fitting = series === undefined ? seriesColumns(rows, x).find((c) => distinct(rows, c) <= SERIES_MOST) : series;
  return { mark: mark ?? MARKS[xTypeOf(rows, x)], x, y, series: fitting ?? null };
}

/** Null if a chart is not useful: one row, or no measure. */
export function chooseChart(rows: Rows, { metrics = [], mark = null }: ChartHints = {}): ChartChoice | null {
  if (rows.rows.length < 2) return null;
  const measures = rows.columns.filter(isMeasure);
  const y = measureOf(measures, metrics);
  if (!y) return null;
  const others = rows.columns.filter((c) => !isMeasure(c) && !isId(c));
  const x = others.find((c) => xTypeOf(rows, c) === 'time')
    ?? others.find(isCalendar)
    ?? others.find((c) => distinct(rows, c) <= FEW_NAMES) ?? others[0];
  if (x) return choiceOf(rows, x, y, undefined, mark);
  const second = measures.find((c) => c !== y);
  return second ? choiceOf(rows, second, y, null, mark) : null;
}

const ASKS = /\b(charts?|graph|graphs|plot|plotted|diagram|histogram|visuali[sz]e|visuali[sz]ation|scatter ?plot|bar chart|line chart|draw an?|gr[aá]fic[oa]|graphique|diagramm|grafik)\b/i;
const KINDS: [RegExp, Mark][] = [
  [/\b(line|linien?)[- ]?(charts?|graphs?|plots?|diagramm)\b/i, 'line'], [/\b(bars?|columns?|balken|säulen)[- ]?(charts?|graphs?|plots?|diagramm)\b|\bhistogram\b/i, 'bar'],
  [/\barea[- ]?(charts?|graphs?|plots?)\b/i, 'area'], [/\bscatter\b/i, 'point'],
];

/** Whether a question asks for a chart. */
export const asksForChart = (question: string): boolean => ASKS.test(question) || KINDS.some(([words]) => words.test(question));

/** The kind of chart that a question names. */
export function markAsked(question: string): Mark | null {
  return KINDS.find(([words]) => words.test(question))?.[1] ?? null;
}
