/** The chart of a result as a Vega-Lite specification. */
import type { VisualizationSpec } from 'vega-embed';
import type { ChartChoice } from './chartChoice';
import type { ChartData } from './chartData';
import type { Unit } from './units';

/** The prefix of Vega's zoom signals; they end with the axis: …_x, …_y. */
export const ZOOM = 'zoom';

/** The width of a letter of a label. */
const LETTER = 6.5;
const LABEL_MOST = 180;
const BAR = 20;
/** A chart narrower than this has its legend below. */
const NARROW = 640;
const LEGEND_COLUMN = 160;
const TICKS_MOST = 24;

/** Whether the axis is continuous; names are not. */
export function zooms({ mark, xType }: ChartData): boolean {
  return xType !== 'name' && mark !== 'bar';
}

/** "$12.5k": the numbers of an axis are short, but never so short that two ticks have the same label. */
function labelExpression(points: ChartData['points'], of: (point: ChartData['points'][number]) => number, unit: Unit | null | undefined): string {
  const most = points.reduce((max, point) => Math.max(max, Math.abs(of(point))), 0);
  const [by, suffix] = most >= 1e9 ? [1e9, 'bn'] : most >= 1e6 ? [1e6, 'M'] : most >= 1e4 ? [1e3, 'k'] : [1, ''];
  const before = unit?.kind === 'money' ? `${unit.symbol}${/[A-Za-z]$/.test(unit.symbol) ? ' ' : ''}` : '';
  const after = unit?.kind === 'percent' ? '%' : '';
  return `(datum.value < 0 ? '−' : '') + ${JSON.stringify(before)} + format(abs(datum.value) / ${by}, ',.6~g') + (datum.value === 0 ? '' : '${suffix}') + '${after}'`;
}

/** Names are on the y axis where they would not fit below the bars. */
function isSideways({ mark, xType, names }: ChartData, width: number): boolean {
  if (mark !== 'bar' || xType !== 'name') return false;
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return names.length > 8 || longest * LETTER + 16 > (width - 80) / Math.max(1, names.length);
}

function axisOf(data: ChartData, choice: ChartChoice, sideways: boolean) {
  const numbers = () => labelExpression(data.points, (point) => Number(point.x), choice.x.unit);
  if (data.xType === 'number') return { labelOverlap: 'greedy', labelExpr: numbers() };
  if (data.xType === 'time' && data.mark !== 'bar') {
    const times = [...new Set(data.points.map((point) => point.x as number))];
    const whole = times.every((time) => time % 86_400_000 === 0);
    return { labelOverlap: 'greedy', labelFlush: true, ...(whole && times.length <= TICKS_MOST ? { values: times, labelExpr: labelOfTime(data) } : {}) };
  }
  if (sideways) return { labelOverlap: false, labelLimit: LABEL_MOST };
  const turned = data.xType === 'name' && data.mark !== 'bar';
  return { labelOverlap: 'greedy', labelAngle: turned ? -40 : 0, labelLimit: turned ? 120 : LABEL_MOST, labelSeparation: 4 };
}

/** Ticks are labeled like the periods of the table. */
function labelOfTime({ points }: ChartData): string {
  const length = points[0]?.xText.length ?? 10;
  if (points.some((point) => point.xText.includes('Q'))) return "utcFormat(datum.value, '%Y') + ' Q' + ceil((utcmonth(datum.value) + 1) / 3)";
  return `utcFormat(datum.value, '${length === 4 ? '%Y' : length === 7 ? '%Y-%m' : '%Y-%m-%d'}')`;
}

function xEncoding(data: ChartData, choice: ChartChoice, sideways: boolean) {
  const axis = axisOf(data, choice, sideways);
  const title = choice.x.name;
  if (data.xType === 'number') return { field: 'x', type: 'quantitative', title, axis, scale: { zero: false } };
  if (data.xType === 'time' && data.mark !== 'bar') return { field: 'x', type: 'temporal', title, axis, scale: { type: 'utc' } };
  if (data.xType === 'time') {
    // Bars of periods have a place each; their labels are left out where they do not fit.
    const order = [...data.points].sort((a, b) => Number(a.x) - Number(b.x)).map((point) => point.xText);
    return { field: 'xText', type: 'ordinal', title, axis, sort: [...new Set(order)] };
  }
  return { field: 'x', type: 'nominal', title, axis, sort: data.names };
}

function colorOf(data: ChartData, { series }: ChartChoice, width: number) {
  if (!series) return {};
  const below = width < NARROW;
  const legend = { orient: below ? 'bottom' : 'right', columns: below ? Math.max(1, Math.floor(width / LEGEND_COLUMN)) : 1, labelLimit: LEGEND_COLUMN - 30, symbolLimit: 0 };
  return { color: { field: 'series', type: 'nominal', title: series.name, sort: data.series, scale: { domain: data.series }, legend } };
}

function legendHeight(data: ChartData, width: number): number {
  if (data.series.length === 0 || width >= NARROW) return 0;
  return 24 + 16 * Math.ceil(data.series.length / Math.max(1, Math.floor(width / LEGEND_COLUMN)));
}

export function chartSpec(data: ChartData, choice: ChartChoice, width: number, height: number): VisualizationSpec {
  const { y, series } = choice;
  const { mark, additive } = data;
  const sideways = isSideways(data, width);
  const across = xEncoding(data, choice, sideways);
  const split = series !== null && !additive;
  const stack = mark === 'bar' || mark === 'area' ? (split ? null : 'zero') : undefined;
  const up = {
    field: 'y', type: 'quantitative', title: y.name, ...(stack === undefined ? {} : { stack }),
    axis: {
      labelOverlap: 'greedy', labelExpr: labelExpression(data.points, (point) => point.y, y.unit),
      ...(data.points.every((point) => Number.isInteger(point.y)) ? { tickMinStep: 1 } : {}), // there is no half of a store
    },
  };
  const offset = mark === 'bar' && split ? { [sideways ? 'yOffset' : 'xOffset']: { field: 'series', sort: data.series } } : {};
  const view = {
    mark: { type: mark, tooltip: true, ...(mark === 'line' ? { point: true } : {}), ...(mark === 'area' ? { fillOpacity: split ? 0.25 : 0.8, line: true } : {}) },
    ...(zooms(data) && { params: [{ name: ZOOM, select: 'interval', bind: 'scales' }] }),
    encoding: {
      x: sideways ? up : across,
      y: sideways ? across : up,
      ...offset,
      ...colorOf(data, choice, width),
      ...(mark === 'bar' ? { opacity: { condition: { test: 'datum.incomplete', value: 0.45 }, value: 1 } } : {}),
      tooltip: [
        { field: 'xText', type: 'nominal', title: choice.x.name },
        { field: 'yText', type: 'nominal', title: y.name },
        ...(series ? [{ field: 'series', type: 'nominal', title: series.name }] : []),
        ...(data.points.some((point) => point.incomplete) ? [{ field: 'period', type: 'nominal', title: 'period' }] : []),
      ],
    },
  };
  const band = {
    data: { values: data.bands },
    mark: { type: 'rect', opacity: 0.35, tooltip: false, color: '#8a9a96' },
    encoding: { x: { field: 'x', type: 'temporal', scale: { type: 'utc' } }, x2: { field: 'x2' } },
  };
  const banded = data.bands.length > 0 && mark !== 'bar';
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width,
    height: sideways ? { step: BAR * (split ? Math.min(4, data.series.length) : 1) } : height + legendHeight(data, width),
    autosize: { type: sideways ? 'fit-x' : 'fit', contains: 'padding' },
    data: { values: data.points.map((point) => (point.incomplete ? { ...point, period: 'not complete' } : point)) },
    ...(banded ? { layer: [band, view] } : view),
  } as VisualizationSpec;
}
