import { DARK_CHART, LIGHT_CHART, type ChartTheme } from './chartColors';

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

const times = (m: Matrix, [a, b, c]: Triple): Triple => m.map((row) => row[0] * a + row[1] * b + row[2] * c) as Triple;

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

/** Machado et al. 2009, of full severity. */
const SIGHTS: Record<string, Matrix> = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const CONES: Matrix = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]];
const OKLAB: Matrix = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]];

const clip = (part: number) => Math.min(1, Math.max(0, part));

function seen(hex: string, sight: Matrix): Triple {
  const light = times(sight, linear(hex)).map(clip) as Triple;
  return times(OKLAB, times(CONES, light).map(Math.cbrt) as Triple);
}

const luminance = (hex: string) => times([[0.2126, 0.7152, 0.0722], [0, 0, 0], [0, 0, 0]], linear(hex))[0];

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const THEMES: [string, ChartTheme, string[]][] = [
  ['light', LIGHT_CHART, ['#ffffff', '#f6f9f8']],
  ['dark', DARK_CHART, ['#151f1d', '#0e1513']],
];

describe.each(THEMES)('the chart colors of the %s theme', (_name, theme, backgrounds) => {
  it('are at least twelve, each visible on the page', () => {
    expect(theme.series.length).toBeGreaterThanOrEqual(12);
    for (const color of theme.series)
      for (const background of backgrounds) expect(contrast(color, background), color).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.keys(SIGHTS))('differ clearly with %s', (sight) => {
    const points = theme.series.map((color) => seen(color, SIGHTS[sight]!));
    points.forEach((p, i) => points.slice(0, i).forEach((q, j) => {
      const distance = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      expect(distance, `${theme.series[i]} and ${theme.series[j]}`).toBeGreaterThan(0.1);
    }));
  });
});
