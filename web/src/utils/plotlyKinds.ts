/**
 * Our bundle of Plotly draws points, lines, bars and pies. Histograms, boxes and heat maps become bars here; traces
 * of other kinds are left to the table.
 */
import type { Json, Trace } from './plotlyFigure';

const BINS_MOST = 500;
const CELLS_MOST = 10_000;
const OUTLIERS_MOST = 500;
const GROUPS_MOST = 200;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Larger ones could not be subtracted. */
const isNumber = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 1e150;

/** What all kinds of traces have. */
function shared({ name, xaxis, yaxis, legendgroup, showlegend, opacity, visible, offsetgroup, marker }: Trace): Json {
  const all = { name, xaxis, yaxis, legendgroup, showlegend, opacity, visible, offsetgroup, marker };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function byName(values: unknown[], weights: unknown[] | null): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  values.forEach((value, i) => {
    if (value === null) return;
    const weight = weights ? weights[i] : 1;
    const key = String(value);
    const known = groups.get(key);
    if (!isNumber(weight)) return;
    if (known) known.push(weight);
    else groups.set(key, [weight]);
  });
  return groups;
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

const FUNCTIONS: Record<string, (numbers: number[]) => number> = {
  count: (numbers) => numbers.length,
  sum,
  avg: (numbers) => sum(numbers) / numbers.length,
  min: (numbers) => numbers.reduce((a, b) => Math.min(a, b), Infinity),
  max: (numbers) => numbers.reduce((a, b) => Math.max(a, b), -Infinity),
};

/** A width of 1, 2 or 5 times a power of ten. */
function niceWidth(span: number, bins: number): number {
  const rough = span / Math.max(1, bins);
  const power = 10 ** Math.floor(Math.log10(rough));
  const first = [1, 2, 5, 10].find((n) => n * power >= rough * 0.999) ?? 10;
  return first * power;
}

interface Bins {
  start: number;
  width: number;
  count: number;
}

function binsOf(values: number[], wanted: unknown, most: unknown): Bins {
  const [low, high] = [FUNCTIONS.min!(values), FUNCTIONS.max!(values)];
  const given = isObject(wanted) && isNumber(wanted.size) && wanted.size > 0 ? wanted.size : 0;
  const asked = isNumber(most) && most >= 1 ? Math.min(most, BINS_MOST) : Math.min(BINS_MOST, Math.ceil(Math.sqrt(values.length)) + 1);
  const span = high - low || Math.abs(high) || 1;
  let width = given || niceWidth(span, asked);
  if (!(span / width < BINS_MOST)) width = span / BINS_MOST;
  if (!given && width < 1e15 && values.every(Number.isInteger)) {
    // Whole numbers are in the middle of their bins.
    width = Math.max(1, Math.round(width));
    const first = Math.floor(low / width) * width - 0.5;
    return { start: first, width, count: Math.min(2 * BINS_MOST, Math.floor((high - first) / width) + 1) };
  }
  const start = given && isObject(wanted) && isNumber(wanted.start) && wanted.start <= low && (low - wanted.start) / width < BINS_MOST
    ? wanted.start : Math.floor(low / width) * width;
  return { start, width, count: Math.min(2 * BINS_MOST, Math.floor((high - start) / width) + 1) };
}

function normalized(heights: number[], norm: unknown, width: number): number[] {
  const all = sum(heights) || 1;
  if (norm === 'percent') return heights.map((h) => (100 * h) / all);
  if (norm === 'probability') return heights.map((h) => h / all);
  if (norm === 'density') return heights.map((h) => h / width);
  return norm === 'probability density' ? heights.map((h) => h / all / width) : heights;
}

function cumulated(heights: number[], trace: Trace): number[] {
  if (!isObject(trace.cumulative) || trace.cumulative.enabled !== true) return heights;
  let before = 0;
  return heights.map((h) => (before += h));
}

/** Counts, or what `histfunc` says of the other axis, in each bin or for each name. */
function histogram(trace: Trace): Trace[] {
  const sideways = trace.orientation === 'h' || (list(trace.x).length === 0 && list(trace.y).length > 0);
  const [along, across] = sideways ? ['y', 'x'] as const : ['x', 'y'] as const;
  const values = list(trace[along]);
  const weighted = typeof trace.histfunc === 'string' && trace.histfunc !== 'count' && list(trace[across]).length > 0;
  const weights = weighted ? list(trace[across]) : null;
  const reduce = FUNCTIONS[weighted ? String(trace.histfunc) : 'count'] ?? FUNCTIONS.count!;
  const bar = (places: unknown[], heights: number[], more: Json): Trace[] => [{
    ...shared(trace), ...more, type: 'bar', orientation: sideways ? 'h' : 'v', [along]: places, [across]: heights,
    hovertemplate: `%{${along}}: %{${across}:,}`,
  }];
  const numbers = values.filter(isNumber);
  if (numbers.length === 0 || numbers.length < values.filter((value) => value !== null).length) {
    const groups = [...byName(values, weights)].slice(0, BINS_MOST);
    const heights = normalized(groups.map(([, all]) => reduce(all)), trace.histnorm, 1);
    return bar(groups.map(([name]) => name), cumulated(heights, trace), {});
  }
  const { start, width, count } = binsOf(numbers, trace[`${along}bins`], trace[`nbins${along}`]);
  const filled: number[][] = Array.from({ length: count }, () => []);
  values.forEach((value, i) => {
    const weight = weights ? weights[i] : 1;
    if (isNumber(value) && isNumber(weight)) filled[Math.min(count - 1, Math.max(0, Math.floor((value - start) / width)))]!.push(weight);
  });
  const heights = cumulated(normalized(filled.map((all) => (all.length > 0 ? reduce(all) : 0)), trace.histnorm, width), trace);
  return bar(filled.map((_, i) => start + (i + 0.5) * width), heights, { width });
}

export interface Spread {
  low: number;
  q1: number;
  median: number;
  q3: number;
  high: number;
  outliers: number[];
}

/** Quartiles by interpolation; whiskers to the last value within 1.5 times their distance. */
export function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)]!;
    return below + (place % 1) * ((sorted[Math.ceil(place)] ?? below) - below);
  };
  const [q1, median, q3] = [at(0.25), at(0.5), at(0.75)];
  const reach = 1.5 * (q3 - q1);
  const inside = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach);
  const outliers = sorted.filter((value) => value < q1 - reach || value > q3 + reach).slice(0, OUTLIERS_MOST);
  return { low: inside[0] ?? q1, q1, median, q3, high: inside.at(-1) ?? q3, outliers };
}

/** For boxes without a color: the halves of one must have the same, on light and on dark pages. */
const COLORS = ['#2a9d8f', '#d9822b', '#6d78d6', '#d1568f', '#7fa32a', '#3a94c9', '#b667c9', '#8a8580'];

/** Two bars from the median, with whiskers, and points for outliers. */
function box(trace: Trace, place: number): Trace[] {
  const sideways = trace.orientation === 'h' || (list(trace.y).length === 0 && list(trace.x).length > 0);
  const [along, across] = sideways ? ['y', 'x'] as const : ['x', 'y'] as const;
  const values = list(trace[across]);
  const names = list(trace[along]).length > 0 ? list(trace[along]) : values.map(() => String(trace.name ?? ''));
  const groups = [...byName(names, values)].slice(0, GROUPS_MOST);
  if (groups.length === 0) return [];
  const spreads = groups.map(([, numbers]) => spreadOf(numbers));
  const base = { ...shared(trace), offsetgroup: trace.offsetgroup ?? `box ${place}`, legendgroup: trace.legendgroup ?? `box ${place}` };
  const marker = isObject(trace.marker) ? trace.marker : {};
  const color = (isObject(trace.line) && trace.line.color) || marker.color || COLORS[place % COLORS.length];
  const said = spreads.map((s) => `median ${s.median}, middle half ${s.q1} to ${s.q3}, whiskers ${s.low} to ${s.high}`);
  const half = (ends: number[], error: Json): Trace => ({
    ...base, type: 'bar', orientation: sideways ? 'h' : 'v', [along]: groups.map(([name]) => name),
    base: spreads.map((s) => s.median), [across]: ends.map((end, i) => end - spreads[i]!.median),
    marker: { color, opacity: 0.7, line: { width: 1.5 } },
    [`error_${across}`]: { type: 'data', symmetric: false, thickness: 1.5, ...error },
    hovertext: said, hoverinfo: sideways ? 'y+text+name' : 'x+text+name',
  });
  const none = spreads.map(() => 0);
  const outliers = spreads.flatMap((s, i) => s.outliers.map((value) => [groups[i]![0], value] as const));
  return [
    half(spreads.map((s) => s.q1), { array: none, arrayminus: spreads.map((s) => s.q1 - s.low) }),
    { ...half(spreads.map((s) => s.q3), { array: spreads.map((s) => s.high - s.q3), arrayminus: none }), showlegend: false },
    ...(outliers.length === 0 ? [] : [{
      ...base, type: 'scatter', mode: 'markers', showlegend: false, marker: { color, size: 5 },
      orientation: sideways ? 'h' : 'v',
      [along]: outliers.map(([name]) => name), [across]: outliers.map(([, value]) => value),
    } as Trace]),
  ];
}

function labels(given: unknown[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(given[i] ?? i));
}

/** A bar of height 1 for each cell: a trace for each row. */
function heatmap(trace: Trace, layout: Json): Trace[] {
  const rows = list(trace.z).map(list);
  const wide = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (wide === 0 || wide * rows.length > CELLS_MOST) return [];
  const [across, up] = [labels(list(trace.x), wide), labels(list(trace.y), rows.length)];
  const colors = typeof trace.coloraxis === 'string' && /^coloraxis\d?$/.test(trace.coloraxis) ? trace.coloraxis : 'coloraxis';
  const scale = isObject(layout[colors]) ? layout[colors] : {};
  const own = { colorscale: trace.colorscale, reversescale: trace.reversescale, showscale: trace.showscale, cmin: trace.zmin, cmax: trace.zmax, cmid: trace.zmid };
  layout[colors] = { ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)), ...scale };
  const axis = (key: 'xaxis' | 'yaxis') => String(trace[key] ?? key[0]).replace(/^[xy]/, key);
  const set = (key: string, more: Json) => {
    layout[key] = { ...(isObject(layout[key]) ? layout[key] : {}), ...more };
  };
  const places = (names: string[]) => ({ tickvals: names.map((_, i) => i), ticktext: names, type: 'linear', showgrid: false, zeroline: false, autorange: true });
  set(axis('xaxis'), places(across));
  const upAxis = isObject(layout[axis('yaxis')]) ? (layout[axis('yaxis')] as Json) : {};
  set(axis('yaxis'), { ...places(up), autorange: upAxis.autorange === 'reversed' ? 'reversed' : true });
  layout.barmode = 'overlay';
  layout.bargap = 0;
  const written = typeof trace.texttemplate === 'string' || list(trace.text).length > 0;
  const texts = list(trace.text).map(list);
  return rows.map((cells, i): Trace => {
    const filled = cells.map((value, k) => [value, k] as const).filter(([value]) => isNumber(value));
    const said = filled.map(([value, k]) => String(texts[i]?.[k] ?? Math.round(Number(value) * 1000) / 1000));
    return {
      type: 'bar', xaxis: trace.xaxis ?? 'x', yaxis: trace.yaxis ?? 'y', showlegend: false, name: '',
      x: filled.map(([, k]) => k), y: filled.map(() => 1), base: filled.map(() => i - 0.5), width: filled.map(() => 1),
      marker: { color: filled.map(([value]) => value), coloraxis: colors, line: { width: 0 } },
      ...(written ? { text: said, textposition: 'inside', insidetextanchor: 'middle' } : {}),
      hovertext: filled.map(([value, k]) => `${across[k]}, ${up[i]}: ${String(value)}`), hoverinfo: 'text',
    };
  });
}

const DRAWN = new Set(['scatter', 'bar', 'pie']);

/** The traces that can be drawn; `layout` is adapted, and `left` gets a sentence for each kind that cannot. */
export function drawable(traces: Trace[], layout: Json, left: string[]): Trace[] {
  const others = new Set<string>();
  const drawn = traces.flatMap((trace, i): Trace[] => {
    if (DRAWN.has(trace.type)) return [trace];
    if (trace.type === 'scattergl') return [{ ...trace, type: 'scatter' }];
    if (trace.type === 'histogram') {
      layout.bargap ??= 0.02;
      return histogram(trace);
    }
    const made = trace.type === 'heatmap' ? heatmap(trace, layout) : trace.type === 'box' || trace.type === 'violin' ? box(trace, i) : [];
    if (made.length === 0) others.add(trace.type);
    if (made.length > 0 && trace.type !== 'heatmap') layout.barmode = layout.scattermode = 'group';
    return made;
  });
  const names = [...others].map((type) => type.replaceAll(/[^a-z0-9]/gi, '').slice(0, 30)).slice(0, 5);
  if (names.length > 0) left.push(`The page does not draw this kind: ${names.join(', ')}. Its values are in the table.`);
  return drawn;
}
