/**
 * Figures of Plotly that code in the sandbox made. They are hostile: only what draws is kept, everything is bounded,
 * and no text is more than text.
 */
import { drawable } from './plotlyKinds';

export type Json = Record<string, unknown>;
export type Trace = Json & { type: string };

export interface Figure {
  data: Trace[];
  layout: Json;
  title: string;
  /** What is not drawn, in sentences. */
  left: string[];
  /** The traces as they came, without what is hostile: for the table. */
  given: Trace[];
}

const TRACES = 100;
const POINTS = 20_000;
const OBJECTS = 200;
const NESTING = 12;
const TEXT = 2000;
const VALUES = 2_000_000;

const TRACE_MEMBERS = new Set([
  'type', 'name', 'x', 'y', 'z', 'x0', 'y0', 'dx', 'dy', 'base', 'width', 'offset', 'offsetgroup', 'alignmentgroup', 'orientation',
  'text', 'textposition', 'texttemplate', 'textfont', 'textinfo', 'insidetextorientation', 'hovertext', 'hovertemplate', 'hoverinfo',
  'customdata', 'mode', 'marker', 'line', 'fill', 'fillcolor', 'stackgroup', 'groupnorm', 'connectgaps', 'error_x', 'error_y',
  'labels', 'values', 'hole', 'pull', 'sort', 'direction', 'rotation', 'domain', 'xaxis', 'yaxis', 'legendgroup', 'legendrank',
  'showlegend', 'opacity', 'visible', 'cliponaxis', 'coloraxis', 'colorscale', 'reversescale', 'showscale', 'colorbar', 'zmin', 'zmax', 'zmid',
  'histfunc', 'histnorm', 'nbinsx', 'nbinsy', 'xbins', 'ybins', 'cumulative', 'boxpoints', 'points', 'q1', 'median', 'q3', 'lowerfence', 'upperfence',
]);
const LAYOUT_MEMBERS = new Set([
  'title', 'showlegend', 'legend', 'annotations', 'shapes', 'barmode', 'barnorm', 'bargap', 'bargroupgap', 'boxmode', 'scattermode',
  'hovermode', 'coloraxis', 'uniformtext', 'height',
]);
const AXIS = /^(?:[xy]axis|coloraxis)(?:[2-9]|[1-5]\d)?$/;

/** Members that load, link, call, style the page, or repeat without end. */
const DROPPED = new Set([
  '__proto__', 'constructor', 'prototype', 'source', 'href', 'url', 'template', 'images', 'updatemenus', 'sliders', 'buttons', 'rangeselector',
  'rangebreaks', 'minor', 'transforms', 'family', 'meta', 'uid', 'ids',
]);

/** The tags of Plotly that have no attributes. */
const OTHER_TAG = /<(?!\/?(?:b|i|u|s|em|strong|br|sub|sup|extra)\s*\/?>)/gi;
const LINK = /<\/?a(?:\s[^<>]*)?>/gi;

/** A text in which Plotly finds no link and no other markup than bold, italic, line breaks, and raised or lowered letters. */
export function plainText(text: string): string {
  return text.slice(0, TEXT).replace(LINK, '').replace(OTHER_TAG, '&lt;');
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const READERS: Record<string, [bytes: number, read: (view: DataView, at: number) => number]> = {
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  i2: [2, (view, at) => view.getInt16(at, true)],
  u2: [2, (view, at) => view.getUint16(at, true)],
  i4: [4, (view, at) => view.getInt32(at, true)],
  u4: [4, (view, at) => view.getUint32(at, true)],
  f4: [4, (view, at) => view.getFloat32(at, true)],
  f8: [8, (view, at) => view.getFloat64(at, true)],
};

/** Plotly's Python writes arrays of numbers as base64. Null if it is none of these. */
function packed({ dtype, bdata, shape }: Json): unknown[] | null {
  const reader = READERS[String(dtype).replace(/^[<|=]/, '')];
  if (!reader || typeof bdata !== 'string') return null;
  let bytes: string;
  try {
    bytes = atob(bdata);
  } catch {
    return [];
  }
  const view = new DataView(Uint8Array.from(bytes, (c) => c.charCodeAt(0)).buffer);
  const numbers = Array.from({ length: Math.floor(view.byteLength / reader[0]) }, (_, i) => {
    const number = reader[1](view, i * reader[0]);
    return Number.isFinite(number) ? number : null;
  });
  const wide = Number(String(shape ?? '').split(',')[1]);
  if (!Number.isInteger(wide) || wide < 1) return numbers;
  return Array.from({ length: Math.ceil(numbers.length / wide) }, (_, i) => numbers.slice(i * wide, (i + 1) * wide));
}

/** Copies what is kept. `budget` bounds the number of values. */
function copy(value: unknown, budget: { left: number }, depth = 0): unknown {
  if (budget.left-- <= 0 || depth > NESTING) return null;
  if (typeof value === 'string') return plainText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null;
  if (Array.isArray(value)) {
    const objects = value.some(isObject);
    return (objects ? value.slice(0, OBJECTS) : value).map((one) => copy(one, budget, depth + 1));
  }
  const array = 'bdata' in value ? packed(value as Json) : null;
  if (array) return array;
  const kept: Json = {};
  for (const [key, member] of Object.entries(value).slice(0, OBJECTS))
    if (!DROPPED.has(key)) kept[key] = copy(member, budget, depth + 1);
  return kept;
}

/** Colors of texts and backgrounds are the page's: black on a dark page could not be read. */
function withoutInk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInk);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => {
    if (/font$/.test(key) && isObject(member)) return [[key, { ...member, color: undefined }]];
    return /^(bg|plot_bg|paper_bg|grid|line|zeroline|tick)color$/.test(key) ? [] : [[key, withoutInk(member)]];
  }));
}

/** Plotly wants titles as objects. */
function withTitles(value: Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => {
    if (key === 'title' && typeof member === 'string') return [key, { text: member }];
    return [key, isObject(member) && key !== 'title' ? withTitles(member) : member];
  }));
}

function layoutOf(value: unknown, budget: { left: number }): Json {
  if (!isObject(value)) return {};
  const kept = Object.entries(value).filter(([key]) => LAYOUT_MEMBERS.has(key) || AXIS.test(key)).slice(0, OBJECTS);
  const layout = withTitles(Object.fromEntries(kept.map(([key, member]) => {
    const copied = copy(member, budget, 1);
    return [key, key === 'shapes' ? copied : withoutInk(copied)];
  })));
  if (typeof layout.height === 'number') layout.height = Math.min(1200, Math.max(200, layout.height));
  else delete layout.height;
  return layout;
}

function traceOf(value: Json, budget: { left: number }): Trace {
  const kept = Object.entries(value).filter(([key]) => TRACE_MEMBERS.has(key));
  const trace = Object.fromEntries(kept.map(([key, member]) => [key, copy(member, budget, 1)])) as Trace;
  return { ...trace, type: typeof trace.type === 'string' ? trace.type : 'scatter' };
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function pointsOf(trace: Trace): number {
  return Math.max(listOf(trace.x).length, listOf(trace.y).length, listOf(trace.values).length, listOf(trace.labels).length);
}

/** Every array of `points` values loses the same ones. */
function thin(value: unknown, points: number, step: number, depth = 0): unknown {
  if (Array.isArray(value)) return value.length === points ? value.filter((_, i) => i % step === 0) : value;
  if (!isObject(value) || depth > 2) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, thin(member, points, step, depth + 1)]));
}

function fewer(traces: Trace[], left: string[]): Trace[] {
  const all = traces.reduce((sum, trace) => sum + pointsOf(trace), 0);
  if (all <= POINTS) return traces;
  const step = Math.ceil(all / POINTS);
  left.push(`Of ${all.toLocaleString('en-US')} points, one in ${step} is drawn.`);
  return traces.map((trace) => thin(trace, pointsOf(trace), step) as Trace);
}

export function titleOf(value: unknown): string {
  const text = isObject(value) ? value.text : value;
  return typeof text === 'string' ? text.replaceAll(/<[^<>]*>/g, ' ').replaceAll('&lt;', '<').replaceAll(/\s+/g, ' ').trim() : '';
}

/** Null if there is nothing that could be drawn. */
export function readFigure(value: unknown): Figure | null {
  if (!isObject(value) || !Array.isArray(value.data)) return null;
  const budget = { left: VALUES };
  const left: string[] = [];
  const given = value.data.filter(isObject).slice(0, TRACES).map((trace) => traceOf(trace, budget));
  if (value.data.length > TRACES) left.push(`Only the first ${TRACES} of ${value.data.length.toLocaleString('en-US')} series are shown.`);
  if (budget.left <= 0) left.push('The figure has too many values; the last are not shown.');
  const layout = layoutOf(value.layout, { left: VALUES });
  const data = fewer(drawable(given, layout, left), left);
  if (given.length === 0) return null;
  return { data, layout, title: titleOf(layout.title), left, given };
}
