import { tablesOf } from './tablesOf';

describe('the tables of a query', () => {
  it.each([
    ['SELECT city FROM t', 't'],
    ['select 1 from public.orders o join "Order Lines" l on true JOIN stores s USING (id)', 'orders, Order Lines, stores'],
    ['WITH a AS (SELECT 1 FROM orders), b as materialized (select 2 from a) SELECT * FROM a JOIN b ON true', 'orders'],
    ['SELECT EXTRACT(year FROM day), a IS DISTINCT FROM b FROM orders', 'orders'],
    ['SELECT 1 FROM a JOIN b ON 1=1 JOIN c ON 1=1 JOIN d ON 1=1 JOIN e ON 1=1', 'a, b, c and 2 more'],
    ['SELECT 1', ''], ['', ''],
  ])('%s', (sql, tables) => expect(tablesOf(sql)).toBe(tables));

  it('takes no time for long text', () => {
    const began = performance.now();
    for (const piece of ['from ', 'extract(', ', a', '"', 'with a ', 'from a . ']) tablesOf(piece.repeat(30_000));
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
