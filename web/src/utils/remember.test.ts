import { expect, test, vi } from 'vitest';
import type { LocalResult } from './disclosure';
import { remembering } from './remember';

const result = (rows: number): LocalResult => ({ columns: ['a'], types: ['BIGINT'], rows: Array.from({ length: rows }, () => ['1']), truncated: false });

test('a query is run once, also while it runs', async () => {
  const query = vi.fn((sql: string) => Promise.resolve(result(sql.length)));
  const table = remembering({ columns: [], rowCount: 1, query });
  const [one, two] = await Promise.all([table.query('a'), table.query('a')]);
  expect(one).toBe(two);
  expect(await table.query('a')).toBe(one);
  expect(query).toHaveBeenCalledTimes(1);
  await table.query('bb');
  expect(query).toHaveBeenCalledTimes(2);
});

test('what failed and what is large is asked for again, and old results are forgotten', async () => {
  const query = vi.fn((sql: string) => (sql === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(result(sql === 'large' ? 20_001 : 1))));
  const table = remembering({ columns: [], rowCount: 1, query });
  for (const sql of ['bad', 'bad', 'large', 'large', 'old']) await table.query(sql).catch(() => undefined);
  expect(query).toHaveBeenCalledTimes(5);
  for (let i = 0; i < 32; i++) await table.query(`q${i}`);
  await table.query('q31');
  expect(query).toHaveBeenCalledTimes(37);
  await table.query('old');
  expect(query).toHaveBeenCalledTimes(38);
});
