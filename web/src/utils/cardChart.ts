/** The chart of a board's card: the columns that it names, found in its rows. */
import type { BoardCard, CardChart } from '../api/types';
import { choiceOf, chooseChart, type ChartChoice } from './chartChoice';
import { rowsOf, type Rows } from './rows';
import { withUnits, type Units } from './units';

/** The rows of a card, with the units of its semantic model. */
export function rowsOfCard({ result }: BoardCard, units: Units): Rows | null {
  return withUnits(rowsOf(result as Parameters<typeof rowsOf>[0]), units);
}

/** Null: the card has no chart, or its rows no longer have the columns. */
export function choiceOfCard(rows: Rows, chart: CardChart | null): ChartChoice | null {
  if (!chart) return null;
  const named = (name: string | null) => rows.columns.find((column) => column.name === name);
  const [x, y, series] = [named(chart.x), named(chart.y), named(chart.series)];
  return x && y ? choiceOf(rows, x, y, series ?? null, chart.mark) : null;
}

export function cardChartOf({ mark, x, y, series }: ChartChoice): CardChart {
  return { mark, x: x.name, y: y.name, series: series?.name ?? null };
}

/** The chart that fits; null if none is useful. */
export function suggestedChart(rows: Rows | null): CardChart | null {
  const choice = rows && chooseChart(rows);
  return choice ? cardChartOf(choice) : null;
}
