/**
 * What of a model's Vega-Lite specification is drawn. The server has checked it; the page
 * copies only what it knows: no data but its own, nothing that loads, links or evaluates.
 */
import type { VisualizationSpec } from 'vega-embed';
import type { LocalResult } from './disclosure';
import { isNumeric } from './aggregateQuery';

export type ChartType = 'bar' | 'line' | 'area' | 'point' | 'arc';
export const CHART_TYPES: ChartType[] = ['bar', 'line', 'area', 'point', 'arc'];
export const TYPE_NAMES: Record<ChartType, string> = { bar: 'bar', line: 'line', area: 'area', point: 'point', arc: 'pie' };
const TYPE_OF: Record<string, ChartType> = { bar: 'bar', line: 'line', area: 'area', scatter: 'point', point: 'point', pie: 'arc', arc: 'arc' };

const MARKS = new Set([
  'bar', 'line', 'area', 'point', 'arc', 'circle', 'square', 'tick', 'rule', 'rect', 'trail', 'boxplot', 'errorbar', 'errorband', 'text',
]);
const CHANNELS = new Set([
  'x', 'y', 'x2', 'y2', 'xOffset', 'yOffset', 'color', 'fill', 'stroke', 'opacity', 'size', 'shape', 'theta', 'theta2', 'radius',
  'detail', 'order', 'text', 'row', 'column', 'facet', 'strokeDash',
]);
/** Members of a channel, of a mark, and of what is in them. */
const MEMBERS = new Set([
  'field', 'type', 'aggregate', 'bin', 'maxbins', 'step', 'timeUnit', 'title', 'sort', 'op', 'order', 'encoding', 'stack', 'scale', 'zero',
  'nice', 'domain', 'scheme', 'axis', 'legend', 'format', 'formatType', 'labelAngle', 'labelLimit', 'labels', 'grid', 'ticks', 'tickCount', 'orient',
  'value', 'datum', 'impute', 'interpolate', 'point', 'filled', 'innerRadius', 'outerRadius', 'cornerRadius', 'strokeWidth',
  'size', 'opacity', 'color', 'columns', 'header', 'labelOverlap', 'tension', 'line', 'band', 'binned', 'reverse', 'padding', 'fill', 'stroke', 'fillOpacity', 'strokeOpacity', 'shape', 'padAngle', 'clamp', 'range', 'align', 'baseline', 'dx', 'dy', 'fontSize',
]);
const FORMATS = new Set(['number', 'time']);
const BYTES_MOST = 64 * 1024;
const DEPTH_MOST = 8;
const LAYERS_MOST = 8;

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function copy(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MOST) return undefined;
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (Array.isArray(value)) return value.slice(0, 1000).map((one) => copy(one, depth + 1)).filter((one) => one !== undefined);
  if (!isMembers(value)) return undefined;
  const known = Object.entries(value).filter(([name, of]) => MEMBERS.has(name) && (name !== 'formatType' || FORMATS.has(String(of))));
  return Object.fromEntries(known.map(([name, of]) => [name, copy(of, depth + 1)]));
}

function markOf(mark: unknown): Members {
  const members = isMembers(mark) ? mark : { type: mark };
  const type = String(members.type);
  if (!MARKS.has(type)) throw new Error(`Marks of the kind "${type.slice(0, 40)}" are not drawn.`);
  return { ...(copy(members, 0) as Members), type, tooltip: true };
}

function encodingOf(encoding: unknown): Members {
  if (!isMembers(encoding)) throw new Error('The chart has no encoding.');
  const channels = Object.entries(encoding).filter(([name, of]) => CHANNELS.has(name) && isMembers(of));
  return Object.fromEntries(channels.map(([name, of]) => [name, copy(of, 0)]));
}

/** The specification without data; throws a sentence. */
export function readSpec(spec: unknown): Members {
  if (!isMembers(spec)) throw new Error('The chart has no specification.');
  if (JSON.stringify(spec).length > BYTES_MOST) throw new Error('The specification of the chart is larger than 64 KiB.');
  if (Array.isArray(spec.layer)) {
    const shared = spec.encoding === undefined ? {} : { encoding: encodingOf(spec.encoding) };
    const layers = spec.layer.slice(0, LAYERS_MOST).filter(isMembers);
    if (layers.length === 0) throw new Error('The chart has no layers.');
    return { ...shared, layer: layers.map((layer) => ({ mark: markOf(layer.mark), ...(layer.encoding !== undefined && { encoding: encodingOf(layer.encoding) }) })) };
  }
  return { mark: markOf(spec.mark), encoding: encodingOf(spec.encoding) };
}

export function chartTypeOf(chartType: unknown): ChartType {
  return TYPE_OF[String(chartType)] ?? 'bar';
}

/** The types that a chart may have: other ones need one mark, and x and y (or theta and color). Of two measures, bars, areas and angles would show nothing. */
export function typesFor(spec: Members, first: ChartType): ChartType[] {
  const { x, y, theta, color } = (spec.encoding ?? {}) as Record<string, Members | undefined>;
  if (spec.layer || !((x && y) || (theta && color))) return [first];
  const measures = [x, y].every((channel) => channel?.type === 'quantitative' && !channel.bin);
  return measures ? CHART_TYPES.filter((type) => type === first || type === 'line' || type === 'point') : CHART_TYPES;
}

/** The same chart with another mark; x and y become angle and color for a pie, and back. */
export function withType(spec: Members, type: ChartType): Members {
  const { x, y, theta, color, ...more } = spec.encoding as Record<string, Members | undefined>;
  if (type === 'arc') {
    const [label, measure] = (x?.type === 'quantitative' && y?.type !== 'quantitative') ? [y, x] : [x, y];
    const bare = ({ field, type: kind, aggregate, title, timeUnit }: Members = {}) => ({ field, type: kind, aggregate, title, timeUnit });
    return { mark: { type, tooltip: true }, encoding: theta ? { theta, color } : { theta: bare(measure), color: { ...bare(label), type: 'nominal' } } };
  }
  const encoding = theta ? { x: color, y: { ...theta, stack: undefined } } : { x, y, ...(color && { color }), ...more };
  return { mark: { type, tooltip: true, ...(type === 'line' && { point: true }) }, encoding };
}

/** Rows as Vega reads them: numbers as numbers, times in ISO form. */
export function chartValues({ columns, types, rows }: LocalResult): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => {
    const text = row[i]!;
    if (text === null) return [name, null];
    if (isNumeric(types[i]!)) return [name, Number(text)];
    if (/^BOOLEAN$/i.test(types[i]!)) return [name, text === 'true'];
    return [name, /^TIMESTAMP/i.test(types[i]!) ? text.replace(' ', 'T') : text];
  })));
}

/** Of a label of an axis, in 10 px. */
const LETTER_PX = 6;
const LABEL_MOST_PX = 180;
const AXIS_PX = 60;
const SLANTED = -45;

/** How the names of categories below a chart are written: side by side if they fit, or else slanted, with room for them. */
function labelsBelow(spec: Members, { columns, rows }: LocalResult, width: number): { angle: number; room: number } | null {
  const layers = (spec.layer as Members[] | undefined) ?? [];
  const encodings = [spec, ...layers].map((one) => one.encoding as Record<string, Members | undefined> | undefined);
  const x = encodings.find((encoding) => encoding?.x)?.x;
  const at = columns.indexOf(String(x?.field));
  if (!x || at < 0 || (x.type !== 'nominal' && x.type !== 'ordinal')) return null;
  const names = new Set(rows.map((row) => row[at] ?? 'null'));
  const longest = Math.min(LABEL_MOST_PX, Math.max(0, ...[...names].map((name) => name.length)) * LETTER_PX);
  const fits = longest + LETTER_PX <= (width - AXIS_PX) / Math.max(1, names.size);
  return fits ? { angle: 0, room: 0 } : { angle: SLANTED, room: Math.round(longest * Math.SQRT1_2) };
}

/** What is given to Vega. The height is without the room for slanted labels, unless it is all there is. */
export function drawn(spec: Members, result: LocalResult, width: number, height: number, fixed = false): VisualizationSpec {
  const faceted = ['row', 'column', 'facet'].some((name) => (spec.encoding as Members | undefined)?.[name]);
  const labels = faceted ? null : labelsBelow(spec, result, width);
  const whole = height + (fixed ? 0 : (labels?.room ?? 0));
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    ...spec,
    ...(faceted ? {} : { width, height: whole, autosize: { type: 'fit', contains: 'padding' } }),
    ...(labels && { config: { axisX: { labelAngle: labels.angle, labelLimit: LABEL_MOST_PX } } }),
    data: { values: chartValues(result) },
  } as unknown as VisualizationSpec;
}

/** The chart as its person wants it. */
export const asType = (spec: Members, first: ChartType, type: ChartType): Members => (type === first ? spec : withType(spec, type));
