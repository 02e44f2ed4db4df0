/**
 * The colors of all charts: Vega's, Plotly's, and (the light ones) Matplotlib's in the sandbox.
 *
 * Each two of a theme's twelve differ clearly, also for people who see no red, no green or no
 * blue, and each has a contrast of at least 3 with the page. chartColors.test.ts computes both.
 */
export interface ChartTheme {
  ink: string;
  line: string;
  paper: string;
  series: string[];
}

export const LIGHT_CHART: ChartTheme = {
  ink: '#16211f', line: '#d9e2e0', paper: '#ffffff',
  series: [
    '#0f766e', '#c37800', '#7800b4', '#781e00', '#a578f0', '#1e0f3c',
    '#5a96a5', '#a54b00', '#875ac3', '#1e4b5a', '#4b0078', '#4b0000',
  ],
};

export const DARK_CHART: ChartTheme = {
  ink: '#e6efed', line: '#3a4a47', paper: '#151f1d',
  series: [
    '#5eead4', '#ff8700', '#d20fff', '#f0d200', '#875ab4', '#c3a5ff',
    '#e10f2d', '#4bc387', '#b478d2', '#2d7869', '#c3ffa5', '#699687',
  ],
};

export const chartTheme = (dark: boolean): ChartTheme => (dark ? DARK_CHART : LIGHT_CHART);
