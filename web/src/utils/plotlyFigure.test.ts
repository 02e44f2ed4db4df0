import { figureRows } from './figureTable';
import { plainText, readFigure, type Json } from './plotlyFigure';
import { spreadOf } from './plotlyKinds';
import { themedLayout } from './plotlyTheme';

const figure = (data: unknown[], layout: Json = {}) => readFigure({ data, layout })!;

/** Every text of a value, also the names of members. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, one]) => [key, ...texts(one)]) : [];
}

describe('what a figure may not do', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
    ['<a href="javascript:alert(1)">free</a>', 'free'],
    ['<A HREF=//evil.example>x</A >', 'x'],
    ['<b onmouseover=alert(1)>x</b>', '&lt;b onmouseover=alert(1)>x</b>'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)>'],
    ['<span style="position:fixed">x</span>', '&lt;span style="position:fixed">x&lt;/span>'],
    ['<<a>b onclick=1>', '&lt;b onclick=1>'],
    ['<a <b>>x', '&lt;a <b>>x'],
    ['city=%{x}<br><b>n</b>=%{y}<extra></extra>', 'city=%{x}<br><b>n</b>=%{y}<extra></extra>'],
    ['a < b & c', 'a &lt; b & c'],
  ])('%s', (given, kept) => {
    expect(plainText(given)).toBe(kept);
  });

  it('loads, links and calls nothing', () => {
    const { data, layout } = figure(
      [{ type: 'bar', x: ['<a href="javascript:x">a</a>'], y: [1], hoverlabel: {}, customdata: [{ url: 'http://evil.example' }], transforms: [{}], xsrc: 'u:1', uid: 'x', meta: 'x' }],
      {
        title: { text: '<a href="http://evil.example">T</a>', font: { color: 'black', family: 'url(x)' } },
        images: [{ source: 'http://evil.example/x.png' }], updatemenus: [{ buttons: [{ method: 'relayout' }] }], sliders: [{}],
        mapbox: { style: 'http://evil.example' }, geo: {}, template: { layout: {} }, paper_bgcolor: 'white', clickmode: 'event', 'xaxis.title': 'x',
        annotations: [{ text: '<img src=x>', bgcolor: 'white' }], xaxis: { rangebreaks: [{ dvalue: 1e-9 }], rangeselector: { buttons: [] } },
      });
    const all = texts({ data, layout }).join(' ');
    expect(all).not.toMatch(/evil|javascript|<img|images|updatemenus|sliders|mapbox|geo|template|rangebreaks|rangeselector|transforms|url|white|black/);
    expect(layout.title).toEqual({ text: 'T', font: { color: undefined } });
  });

  it('does not reach the prototype of objects', () => {
    const hostile = JSON.parse('{"data":[{"type":"bar","x":[1],"y":[1],"__proto__":{"bad":1},"marker":{"__proto__":{"bad":1},"constructor":{"prototype":{"bad":1}}}}],"layout":{"__proto__":{"bad":1}}}') as unknown;
    const { data, layout } = readFigure(hostile)!;
    expect([({} as Json).bad, (data[0] as Json).bad, (data[0]!.marker as Json).bad, layout.bad]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('has a hundred of ten thousand traces, and says so', () => {
    const { data, left } = figure(Array.from({ length: 10_000 }, () => ({ type: 'scatter', x: [1], y: [1] })));
    expect(data).toHaveLength(100);
    expect(left).toEqual(['Only the first 100 of 10,000 series are shown.']);
  });

  it('has one in so many of too many points, the same ones in all arrays', () => {
    const x = Array.from({ length: 500_000 }, (_, i) => i);
    const { data, left } = figure([{ type: 'scatter', x, y: x, marker: { color: x } }]);
    expect(left).toEqual(['Of 500,000 points, one in 25 is drawn.']);
    expect(data[0]!.x).toHaveLength(20_000);
    expect((data[0]!.marker as Json).color).toEqual(data[0]!.x);
  });

  it('is not deeper or longer than its bounds', () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(() => figure([{ type: 'bar', x: deep, y: [1] }])).not.toThrow();
    expect(plainText('x'.repeat(1_000_000))).toHaveLength(2000);
    const many = figure([{ type: 'bar', x: [1], y: [1] }], { annotations: Array.from({ length: 9999 }, () => ({ text: 'x' })), height: 1e9 });
    expect(many.layout.annotations).toHaveLength(200);
    expect(many.layout.height).toBe(1200);
  });

  it.each([null, 3, 'x', [], {}, { data: {} }, { data: [] }, { data: [null, 3] }])('is nothing: %j', (value) => {
    expect(readFigure(value)).toBeNull();
  });

  it.each([
    { type: 'histogram' }, { type: 'histogram', x: [null] }, { type: 'histogram', x: [1, 1e308, -1e308], nbinsx: 1e9 },
    { type: 'histogram', x: [1, 2], xbins: { size: 1e-300, start: -1e300 } }, { type: 'histogram', x: [5] }, { type: 'box', y: [] },
    { type: 'box', y: ['a', null, {}] }, { type: 'heatmap', z: [] }, { type: 'heatmap', z: [[null], 'x', 3] }, { type: 'heatmap', z: Array.from({ length: 200 }, () => Array(200).fill(1)) },
    { type: {} }, { type: 'bar', x: { bdata: '!!!', dtype: 'f8' }, y: { bdata: 'AAAA', dtype: 'constructor' } },
  ])('is drawn within bounds: %j', (trace) => {
    const { data } = figure([trace as Json]);
    for (const { x, y } of data) expect([x, y].every((values) => !Array.isArray(values) || values.length <= 20_000)).toBe(true);
  });
});

describe('what a figure shows', () => {
  it('decodes the packed arrays of Python', () => {
    const bytes = new Uint8Array(new Float64Array([1.5, NaN, 3]).buffer);
    const bdata = btoa(String.fromCharCode(...bytes));
    expect(figure([{ type: 'bar', x: ['a', 'b', 'c'], y: { dtype: 'f8', bdata } }]).data[0]!.y).toEqual([1.5, null, 3]);
  });

  it('counts a histogram of numbers', () => {
    const [bars] = figure([{ type: 'histogram', x: [1, 2, 2, 3, 3, 3, 9], xbins: { start: 0, size: 5 } }]).data;
    expect(bars).toMatchObject({ type: 'bar', x: [2.5, 7.5], y: [6, 1], width: 5 });
  });

  it('has a bin for each whole number, if they are few', () => {
    expect(figure([{ type: 'histogram', x: [1, 1, 2, 3, 5] }]).data[0]).toMatchObject({ x: [1, 2, 3, 4, 5], y: [2, 1, 1, 0, 1], width: 1 });
  });

  it('counts a histogram of names, or adds up the other axis', () => {
    expect(figure([{ type: 'histogram', x: ['a', 'b', 'a'] }]).data[0]).toMatchObject({ x: ['a', 'b'], y: [2, 1] });
    expect(figure([{ type: 'histogram', x: ['a', 'b', 'a'], y: [1, 2, 4], histfunc: 'sum' }]).data[0]).toMatchObject({ x: ['a', 'b'], y: [5, 2] });
    expect(figure([{ type: 'histogram', y: ['a', 'b', 'a'], histnorm: 'percent' }]).data[0]).toMatchObject({ orientation: 'h', y: ['a', 'b'], x: [200 / 3, 100 / 3] });
  });

  it('has quartiles, whiskers and outliers', () => {
    expect(spreadOf([1, 2, 3, 4, 100])).toEqual({ low: 1, q1: 2, median: 3, q3: 4, high: 4, outliers: [100] });
    const { data, layout } = figure([{ type: 'box', name: 'n', y: [1, 2, 3, 4, 100] }]);
    expect(data.map(({ type }) => type)).toEqual(['bar', 'bar', 'scatter']);
    expect(data[0]).toMatchObject({ base: [3], y: [-1], error_y: { array: [0], arrayminus: [1] } });
    expect(data[1]).toMatchObject({ base: [3], y: [1], error_y: { array: [0], arrayminus: [0] } });
    expect(layout.barmode).toBe('group');
  });

  it('draws a heat map as cells with one scale of colors', () => {
    const { data, layout } = figure([{ type: 'heatmap', z: [[1, 0.5], [0.5, null]], x: ['a', 'b'], y: ['a', 'b'], coloraxis: 'coloraxis' }], { coloraxis: { colorscale: 'RdBu' } });
    expect(data).toHaveLength(2);
    expect(data[1]).toMatchObject({ x: [0], y: [1], base: [0.5], marker: { color: [0.5], coloraxis: 'coloraxis' } });
    expect(layout).toMatchObject({ coloraxis: { colorscale: 'RdBu' }, xaxis: { ticktext: ['a', 'b'] } });
  });

  it('leaves other kinds to the table', () => {
    const other = figure([{ type: 'scatter3d', name: 's', x: [1], y: [2], z: [3] }]);
    expect(other.data).toEqual([]);
    expect(other.left).toEqual(['The page does not draw this kind: scatter3d. Its values are in the table.']);
    expect(figureRows(other).rows).toEqual([{ Series: 's', x: 1, y: 2, Value: 3 }]);
  });

  it('is a table with the names of its axes', () => {
    const rows = figureRows(figure([{ type: 'bar', x: ['a<b', 'c'], y: [1, 2] }], { xaxis: { title: { text: 'City' } }, yaxis: { title: { text: 'Rows' } } }));
    expect(rows.columns.map(({ name, kind }) => [name, kind])).toEqual([['City', 'text'], ['Rows', 'number']]);
    expect(rows.rows).toMatchObject([{ City: 'a<b', Rows: 1 }, { City: 'c', Rows: 2 }]);
    const pie = figureRows(figure([{ type: 'pie', labels: ['a'], values: [3] }]));
    expect(pie.rows).toMatchObject([{ Label: 'a' }]);
  });

  it('has the ink of the page in both themes', () => {
    const one = figure([{ type: 'bar', x: [1], y: [1], yaxis: 'y2' }], { yaxis2: { tickfont: { color: 'black', size: 9 } } });
    expect(figure([{ type: 'bar', x: [1], y: [1] }], { title: 'T', xaxis: { title: 'X' } })).toMatchObject({ title: 'T', layout: { xaxis: { title: { text: 'X' } } } });
    const [light, dark] = [false, true].map((isDark) => themedLayout(one, isDark, { width: 600 }));
    expect((light!.font as Json).color).not.toBe((dark!.font as Json).color);
    expect(dark!.yaxis2).toMatchObject({ color: (dark!.font as Json).color, tickfont: { size: 9 } });
  });
});
