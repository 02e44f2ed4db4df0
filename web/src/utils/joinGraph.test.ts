import { places, sidesOf } from './joinGraph';

const join = (from: string, to: string) => ({ from, to, on: '' });

describe('joinGraph', () => {
  it('lays datasets out in rows, centred, by how far they are from the first', () => {
    const at = places(['items', 'orders', 'products', 'stores'], [join('items', 'orders'), join('items', 'products'), join('orders', 'stores')]);
    expect(at.get('items')).toEqual({ row: 0, column: 0 });
    expect([at.get('orders'), at.get('products')]).toEqual([{ row: 1, column: -0.5 }, { row: 1, column: 0.5 }]);
    expect(at.get('stores')!.row).toBe(2);
  });

  it('breaks a long row', () => {
    const many = Array.from({ length: 8 }, (_x, i) => `d${i}`);
    expect(new Set([...places(many, []).values()].map((p) => p.row))).toEqual(new Set([0, 1]));
  });

  it('has edges leave towards where they go', () => {
    const a = { row: 0, column: 0 };
    expect(sidesOf(a, { row: 1, column: 0 })).toEqual(['bottom', 'top']);
    expect(sidesOf({ row: 1, column: 0 }, a)).toEqual(['top', 'bottom']);
    expect(sidesOf(a, { row: 0, column: 1 })).toEqual(['right', 'left']);
    expect(sidesOf(a, { row: 0, column: 2 })).toEqual(['bottom', 'bottom']);
    expect(sidesOf(a, a)).toEqual(['right', 'top']);
  });
});
