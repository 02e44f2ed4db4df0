import { compile, type TopLevelSpec } from 'vega-lite';
import { parse, View } from 'vega';
import { asksForChart, chooseChart, choiceOf, markAsked } from './chartChoice';
import { chartData, numberOf } from './chartData';
import { chartSpec } from './chartSpec';
import { coverageOf } from './periods';
import { kindOf, type Cell, type Rows } from './rows';

type Made = [name: string, type: string];

function rowsWith(columns: Made[], values: Cell[][]): Rows {
  const rows = values.map((cells) => Object.fromEntries(columns.map(([name], i) => [name, cells[i] ?? null])));
  return { columns: columns.map(([name, type]) => ({ name, type, kind: kindOf(type) })), rows, total: rows.length, truncated: false };
}

const CITIES = rowsWith([['city', 'text'], ['orders', 'int8'], ['revenue', 'numeric'], ['rank', 'int8']],
  [['Dallas', 3, '1200.50', 1], ['Houston', 5, '900.25', 2], ['Austin', 9, '10.00', 3]]);
const MONTHS = rowsWith([['month', 'date'], ['segment', 'text'], ['revenue', 'numeric']],
  ['2025-09-01', '2025-10-01', '2025-11-01'].flatMap((month) => [[month, 'A', '10'], [month, 'B', '20']]));

/** The scene that Vega makes of a chart: that a specification compiles says little. */
async function drawn(rows: Rows, hints = {}, options = {}, width = 700): Promise<View> {
  const choice = chooseChart(rows, hints)!;
  const spec = chartSpec(chartData(rows, choice, options), choice, width, 280);
  const view = new View(parse(compile(spec as unknown as TopLevelSpec, { logger: quiet }).spec), { renderer: 'none' });
  await view.runAsync();
  return view;
}

const warnings: string[] = [];
const quiet = {
  level: () => quiet, error: (...said: unknown[]) => { warnings.push(said.join(' ')); return quiet; },
  warn: (...said: unknown[]) => { warnings.push(said.join(' ')); return quiet; }, info: () => quiet, debug: () => quiet,
} as unknown as NonNullable<Parameters<typeof compile>[1]>['logger'] & object;

interface Item {
  mark: { name?: string; role?: string; marktype: string };
  text?: string;
  bounds: { x1: number; x2: number; y1: number; y2: number };
  opacity?: number;
  items?: { items: Item[]; name?: string; role?: string; marktype?: string }[];
}

/** All items of a scene. */
function itemsOf(view: View): Item[] {
  const all: Item[] = [];
  const walk = (mark: { items: Item[] }) => mark.items.forEach((item) => {
    all.push(item);
    item.items?.forEach((inner) => walk(inner));
  });
  walk((view.scenegraph() as unknown as { root: { items: Item[] } }).root);
  return all;
}

const labels = (view: View) => itemsOf(view).filter((item) => item.mark.role === 'axis-label' && item.opacity !== 0 && item.text);

describe('the choice of a chart', () => {
  it('draws the measure that the plan names, not the last number', () => {
    expect(chooseChart(CITIES, { metrics: ['Revenue'] })).toMatchObject({ mark: 'bar', x: { name: 'city' }, y: { name: 'revenue' } });
    expect(chooseChart(CITIES, { metrics: ['number of orders'] })!.y.name).toBe('orders');
    expect(chooseChart(CITIES, { metrics: ['something else'] })!.y.name).toBe('rank');
    expect(chooseChart(CITIES)!.y.name).toBe('rank');
  });

  it('takes time before names, and few names as series', () => {
    expect(chooseChart(MONTHS)).toMatchObject({ mark: 'line', x: { name: 'month' }, series: { name: 'segment' } });
    const years = rowsWith([['year', 'numeric'], ['revenue', 'numeric']], [['2024', '1'], ['2025', '2']]);
    expect(chooseChart(years)).toMatchObject({ mark: 'bar', x: { name: 'year' }, y: { name: 'revenue' } });
    for (const name of ['days', 'orders_this_month', 'revenue_per_day', 'hours', 'year_count'])
      expect(chooseChart(rowsWith([['city', 'text'], [name, 'int8']], [['a', 1], ['b', 2]]))!.y.name).toBe(name);
  });

  it('has none for one row, or without a measure', () => {
    expect(chooseChart(rowsWith([['n', 'int8']], [[1]]))).toBeNull();
    expect(chooseChart(rowsWith([['a', 'text'], ['store_id', 'int8']], [['x', 1], ['y', 2]]))).toBeNull();
  });

  it('hears that a chart is asked for, and which', () => {
    for (const question of ['Show me a chart of revenue', 'plot revenue by month', 'revenue by city as a bar chart', 'Zeige ein Diagramm'])
      expect(asksForChart(question), question).toBe(true);
    for (const question of ['revenue by city', 'orders of graphics cards', 'which products were bought as a gift']) expect(asksForChart(question), question).toBe(false);
    expect(markAsked('revenue by month as bar chart')).toBe('bar');
    expect(markAsked('a line graph of orders')).toBe('line');
    expect(markAsked('a chart')).toBeNull();
  });
});

describe('the data of a chart', () => {
  const data = (rows: Rows, pick: { x?: string; y?: string; series?: string | null; mark?: 'bar' | 'line' | 'area' | 'point' } = {}, options = {}) => {
    const of = (name: string) => rows.columns.find((c) => c.name === name)!;
    const first = chooseChart(rows)!;
    const choice = choiceOf(rows, pick.x ? of(pick.x) : first.x, pick.y ? of(pick.y) : first.y,
      pick.series === null ? null : pick.series ? of(pick.series) : first.series, pick.mark ?? null);
    return chartData(rows, choice, options);
  };

  it('keeps each digit in the texts', () => {
    const rows = rowsWith([['city', 'text'], ['revenue', 'numeric']], [['a', '12345678901234567890.10'], ['b', '2']]);
    expect(data(rows).points[0]!.yText).toBe('12,345,678,901,234,567,890.10');
  });

  it('adds up rows of one place, and says so', () => {
    const { points, notes } = data(MONTHS, { series: null });
    expect(points.map((point) => point.y)).toEqual([30, 30, 30]);
    expect(notes).toEqual(['Rows with the same month are added up.']);
  });

  it('never adds up averages, shares and prices', () => {
    for (const name of ['avg_revenue', 'conversion rate', 'share', 'unit_price', 'revenue_%']) {
      const rows = rowsWith([['city', 'text'], [name, 'numeric']], [['a', '1'], ['a', '2'], ['b', '3']]);
      const { points, mark, notes } = data(rows);
      expect([points.length, mark], name).toEqual([3, 'point']);
      expect(notes[0]).toContain('cannot be added up');
    }
  });

  it('says what it leaves out: rows without a value, small names, small series', () => {
    expect(data(rowsWith([['city', 'text'], ['revenue', 'numeric']], [['a', null], ['b', '1'], ['c', '2']])).notes).toEqual(['1 row has no revenue or no city, and is not drawn.']);
    const many = rowsWith([['name', 'text'], ['n', 'int8']], Array.from({ length: 2345 }, (_, i) => [`name ${i}`, i]));
    const { names, notes, points } = data(many);
    expect([names.length, points.length]).toEqual([40, 40]);
    expect(names[0]).toBe('name 2305'); // of the largest, in the order of the rows
    expect(notes).toEqual(['The 40 largest of 2,345 (name) are drawn.']);
    const series = rowsWith([['day', 'date'], ['shop', 'text'], ['n', 'int8']], Array.from({ length: 60 }, (_, i) => [i % 2 ? '2025-01-01' : '2025-01-02', `shop ${i >> 1}`, i]));
    expect(data(series, { series: 'shop' })).toMatchObject({ series: { length: 12 }, notes: [expect.stringMatching(/^The 12 largest of 30 series/)] });
  });

  it('marks what the data hold only in part', () => {
    const { points, bands, notes } = data(MONTHS, {}, { coverage: coverageOf(null, '2025-11-23T00:00:00Z') });
    expect(points.filter((point) => point.incomplete).map((point) => point.xText)).toEqual(['2025-11', '2025-11']);
    expect(bands).toHaveLength(1);
    expect(notes).toEqual(['Not complete: 2025-11. This period is only partly in the data.']);
    expect(data(MONTHS, {}, { coverage: coverageOf(null, '2026-01-01T00:00:00Z') })).toMatchObject({ bands: [], notes: [] });
  });

  it('reads money, and no word as a number', () => {
    expect([numberOf('$1,234.50'), numberOf('-€5.00'), numberOf('($2.00)'), numberOf('7'), numberOf('Dallas'), numberOf(null), numberOf('')])
      .toEqual([1234.5, -5, -2, 7, null, null, null]);
  });

  it('copes with 10,000 rows', () => {
    const rows = rowsWith([['city', 'text'], ['n', 'int8']], Array.from({ length: 10_000 }, (_, i) => [`${i % 5000}`, i]));
    const began = performance.now();
    expect(data(rows).points).toHaveLength(40);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

describe('the drawing', () => {
  // Sideways bars have a height of their own, which Vega-Lite says each time.
  afterEach(() => {
    const said = warnings.splice(0).filter((one) => !/because spec has discrete height/.test(one));
    expect(said).toEqual([]);
  });

  const overlaps = (view: View) => {
    const seen = labels(view);
    return seen.flatMap((a, i) => seen.slice(0, i).filter((b) =>
      a.mark === b.mark && a.bounds.x1 < b.bounds.x2 && b.bounds.x1 < a.bounds.x2 && a.bounds.y1 < b.bounds.y2 && b.bounds.y1 < a.bounds.y2).map((b) => `${a.text} and ${b.text}`));
  };

  it.each([300, 700, 1200])('has no labels that collide, %i px wide', async (width) => {
    const names = rowsWith([['product', 'text'], ['revenue', 'numeric']],
      Array.from({ length: 30 }, (_, i) => [`A product with a long name, number ${i}`, `${i * 1000}`]));
    const few = rowsWith([['region', 'text'], ['revenue', 'numeric']], ['Gulf Coast and the islands', 'North Texas', 'The Panhandle and beyond it', 'x', 'y'].map((name, i) => [name, `${i}`]));
    const days = rowsWith([['day', 'date'], ['revenue', 'numeric']], Array.from({ length: 90 }, (_, i) => [new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10), `${i}`]));
    const big = rowsWith([['n', 'numeric'], ['revenue', 'numeric']], Array.from({ length: 90 }, (_, i) => [`${i * 1e8}`, `${i * 1e8}`]));
    for (const rows of [names, few, days, MONTHS, big, CITIES])
      for (const mark of ['bar', 'line', 'area', 'point'] as const) expect(overlaps(await drawn(rows, { mark }, {}, width)), mark).toEqual([]);
  });

  it('shows months as they are written, whatever the zone of the reader', async () => {
    const texts = labels(await drawn(MONTHS)).map((item) => item.text);
    for (const month of ['2025-09', '2025-10', '2025-11']) expect(texts).toContain(month);
  });

  it('writes the unit at the axis', async () => {
    const rows = { ...CITIES, columns: CITIES.columns.map((c) => (c.name === 'revenue' ? { ...c, unit: { kind: 'money' as const, symbol: '$' } } : c)) };
    const texts = labels(await drawn(rows, { metrics: ['revenue'] })).map((item) => item.text);
    expect(texts).toContain('$200');
    expect(chartData(rows, chooseChart(rows, { metrics: ['revenue'] })!).points[0]!.yText).toBe('$1,200.50');
  });

  it('counts in whole numbers', async () => {
    const rows = rowsWith([['city', 'text'], ['stores', 'int8']], [['Dallas', 3], ['Houston', 1]]);
    const texts = labels(await drawn(rows)).map((item) => item.text);
    expect(texts).toEqual(expect.arrayContaining(['0', '1', '2', '3']));
    expect(texts.filter((text) => text!.includes('.'))).toEqual([]);
  });

  it('can be zoomed, also where a band marks a period', async () => {
    for (const coverage of [null, coverageOf(null, '2025-11-23T00:00:00Z')]) {
      const view = await drawn(MONTHS, {}, { coverage });
      view.signal('zoom_x', [Date.UTC(2025, 8, 10), Date.UTC(2025, 9, 10)]);
      view.signal('zoom_y', [0, 10]);
      await view.runAsync();
      const [from] = (view.scale('x') as { domain: () => Date[] }).domain();
      expect(Number(from)).toBe(Date.UTC(2025, 8, 10));
    }
  });

  it('takes hostile names for names', async () => {
    const rows = rowsWith([["a.b['c'] \\ \" <b>", 'text'], ['datum.value', 'numeric']], [['</script>', '1'], ['${x}', '2']]);
    expect(labels(await drawn(rows)).map((item) => item.text)).toContain('</script>');
  });
});
