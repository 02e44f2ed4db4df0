import { View } from 'vega';
import { drawVega } from './drawVega';

const spec = { mark: 'bar', data: { values: [{ a: 'x', b: 1 }, { a: 'y', b: 2 }] }, encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } } } as never;
const drawing = () => ({ place: document.createElement('div'), spec, config: {}, renderer: 'svg' as const, tooltips: 'light' as const });

describe('drawVega', () => {
  it('draws, and lets the page do other things between its steps', async () => {
    let turns = 0;
    const timer = setInterval(() => { turns += 1; }, 0);
    const what = drawing();
    const view = await drawVega(what, new AbortController().signal);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(what.place.querySelectorAll('svg path[aria-roledescription=bar]')).toHaveLength(2);
    view?.finalize();
  });

  it('computes what it draws before that has a place in the page', async () => {
    const computes = vi.spyOn(View.prototype, 'runAsync');
    const places = vi.spyOn(View.prototype, 'initialize');
    (await drawVega(drawing(), new AbortController().signal))?.finalize();
    expect(computes.mock.invocationCallOrder[0]).toBeLessThan(places.mock.invocationCallOrder[0]!);
    vi.restoreAllMocks();
  });

  it('draws nothing for somebody who has gone', async () => {
    const gone = new AbortController();
    const what = drawing();
    const drawn = drawVega(what, gone.signal);
    gone.abort();
    expect(await drawn).toBeNull();
    expect(what.place.innerHTML).toBe('');
  });
});
