import { expect, test } from 'vitest';
import { chartImage } from './reportFile';
import { CHART_TYPES, chartValues, drawn, readSpec, typesFor, withType } from './vegaSpec';

const BAR = { mark: 'bar', encoding: { x: { field: 'city', type: 'nominal' }, y: { field: 'n', type: 'quantitative' } } };
const ROWS = { columns: ['city', 'n', 'at'], types: ['VARCHAR', 'BIGINT', 'TIMESTAMP'], rows: [['Évora', '3', '2025-01-02 03:04:05'], [null, null, null]], truncated: false };

test('marks and channels are kept', () => {
  expect(readSpec(BAR)).toEqual({ mark: { type: 'bar', tooltip: true }, encoding: BAR.encoding });
  expect(readSpec({ layer: [{ mark: 'line', encoding: BAR.encoding }, { mark: { type: 'point' } }] }).layer).toHaveLength(2);
});

test('what loads, links or evaluates is not drawn', () => {
  const hostile = {
    $schema: 'http://evil.example/x.json', data: { url: 'http://evil.example/d.csv' }, datasets: { a: [] }, usermeta: { embedOptions: { loader: 1 } },
    params: [{ name: 'p', expr: 'alert(1)' }], transform: [{ calculate: 'alert(1)', as: 'x' }], config: { image: { url: 'x' } },
    mark: { type: 'bar', href: 'http://evil.example/', tooltip: { signal: 'alert(1)' }, url: 'http://evil.example/i.png' },
    encoding: {
      x: { field: 'city', condition: { test: 'alert(1)', value: 1 }, axis: { labelExpr: 'alert(1)', title: { signal: 'x' } } },
      href: { value: 'http://evil.example/' }, url: { value: 'http://evil.example/' }, tooltip: { field: 'city' }, y: { field: 'n', format: ',', formatType: 'alert' },
    },
  };
  const text = JSON.stringify(readSpec(hostile));
  for (const word of ['evil', 'alert', 'href', 'url', 'signal', 'condition', 'transform', 'params', 'config', 'formatType']) expect(text).not.toContain(word);
});

test.each([
  [{ mark: 'image', encoding: {} }, /"image" are not drawn/], [{ mark: 'geoshape', encoding: {} }, /not drawn/], [{ mark: 'bar' }, /no encoding/],
  [null, /no specification/], ['x', /no specification/], [{ layer: [] }, /no layers/], [{ ...BAR, title: 'x'.repeat(70_000) }, /64 KiB/],
])('%j is refused with a sentence', (spec, sentence) => {
  expect(() => readSpec(spec)).toThrow(sentence);
});

test('the data are the rows, with numbers and times', () => {
  expect(chartValues(ROWS)).toEqual([{ city: 'Évora', n: 3, at: '2025-01-02T03:04:05' }, { city: null, n: null, at: null }]);
  expect(drawn(readSpec({ ...BAR, data: { values: [{ x: 1 }] } }), ROWS, 300, 200)).toHaveProperty('data.values.0.city', 'Évora');
});

test('a bar chart becomes a pie', () => {
  const spec = readSpec(BAR);
  expect(typesFor(spec, 'bar')).toEqual(CHART_TYPES);
  expect(withType(spec, 'arc')).toMatchObject({ mark: { type: 'arc' }, encoding: { theta: { field: 'n' }, color: { field: 'city' } } });
  expect(typesFor(readSpec({ layer: [BAR] }), 'bar')).toEqual(['bar']);
});

test('each kind is drawn as a picture without scripts or links', async () => {
  for (const type of ['bar', 'line', 'area', 'point', 'arc'] as const) {
    const image = await chartImage(type === 'bar' ? BAR : withType(readSpec(BAR), type), ROWS);
    const svg = new TextDecoder().decode(Uint8Array.from(atob(image.split(',')[1]!), (c) => c.charCodeAt(0)));
    expect(svg).toMatch(/^<svg/);
    expect(svg).not.toMatch(/<script|href|<image/);
  }
});

test('two measures are drawn as points or a line', () => {
  const encoding = { x: { field: 'a', type: 'quantitative' }, y: { field: 'b', type: 'quantitative' } };
  expect(typesFor(readSpec({ mark: 'point', encoding }), 'point')).toEqual(['line', 'point']);
  expect(typesFor(readSpec({ mark: 'bar', encoding: { ...encoding, x: { ...encoding.x, bin: true } } }), 'bar')).toEqual(CHART_TYPES);
});

const named = (names: string[]) => ({ columns: ['city', 'n'], types: ['VARCHAR', 'BIGINT'], rows: names.map((name) => [name, '1']), truncated: false });
const axis = (spec: object) => (spec as { config?: { axisX: object } }).config?.axisX;

test('names below a chart are level if they fit; or else they are slanted, and get room', () => {
  const few = drawn(readSpec(BAR), named(['Évora', 'Faro', 'Porto']), 600, 280);
  expect(axis(few)).toMatchObject({ labelAngle: 0 });
  expect(few).toHaveProperty('height', 280);
  const long = named(Array.from({ length: 20 }, (_unused, i) => `Station number ${i} of the northern district`));
  const many = drawn(readSpec(BAR), long, 600, 280);
  expect(axis(many)).toMatchObject({ labelAngle: -45 });
  expect((many as { height: number }).height).toBeGreaterThan(380);
  expect(drawn(readSpec(BAR), long, 600, 280, true)).toHaveProperty('height', 280);
  expect(axis(drawn(readSpec({ layer: [BAR] }), named(['a']), 600, 280))).toMatchObject({ labelAngle: 0 });
  expect(axis(drawn(withType(readSpec(BAR), 'arc'), long, 600, 280))).toBeUndefined();
  expect(axis(drawn(readSpec({ mark: 'line', encoding: { ...BAR.encoding, x: { field: 'city', type: 'temporal' } } }), long, 600, 280))).toBeUndefined();
});
