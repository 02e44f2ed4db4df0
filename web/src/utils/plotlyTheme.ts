/** The page's colors and measures for a figure. */
import { chartTheme } from '../theme/chartColors';
import type { Figure, Json } from './plotlyFigure';

const HEIGHT = 380;
const NARROW = 480;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The data with whiskers that can be seen. */
export function themedData({ data }: Pick<Figure, 'data'>, dark: boolean): Json[] {
  const color = chartTheme(dark).ink;
  return data.map((trace) => Object.fromEntries(Object.entries(trace).map(([key, member]) =>
    [key, key.startsWith('error_') && isObject(member) ? { color, ...member } : member])));
}

interface Measures {
  width: number;
  /** For a file: with its title, on a background. */
  alone?: boolean;
}

export function themedLayout({ layout, data }: Pick<Figure, 'layout' | 'data'>, dark: boolean, { width, alone = false }: Measures): Json {
  const { ink, line, paper, series } = chartTheme(dark);
  const axis = { color: ink, gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true };
  const used = data.flatMap(({ xaxis, yaxis }) => [`xaxis${String(xaxis ?? 'x').slice(1)}`, `yaxis${String(yaxis ?? 'y').slice(1)}`]);
  const axes = new Set([...Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key)), ...used]);
  const titled = alone && layout.title !== undefined && layout.title !== null;
  const narrow = width < NARROW;
  return {
    ...layout,
    ...Object.fromEntries([...axes].map((key) => [key, { ...(isObject(layout[key]) ? layout[key] : {}), ...axis }])),
    // The page writes the title itself: it must wrap.
    title: titled ? layout.title : undefined,
    width,
    height: typeof layout.height === 'number' ? layout.height : HEIGHT,
    autosize: false,
    font: { color: ink, family: 'system-ui, sans-serif', size: 12 },
    colorway: series,
    paper_bgcolor: alone ? paper : 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    hoverlabel: { bgcolor: paper, bordercolor: line, font: { color: ink } },
    margin: { l: 48, r: 16, t: titled ? 56 : 24, b: 48 },
    ...(narrow ? { legend: { ...(isObject(layout.legend) ? layout.legend : {}), orientation: 'h', x: 0, y: -0.25, xanchor: 'left', yanchor: 'top' } } : {}),
  };
}
