import { beforeAll, describe, expect, test } from 'vitest';
import { localTable } from '../test/localTable';
import { answerQuery, bounded, StandIns, type LocalTable, type Sent, type Share } from './disclosure';

/** Planted cells: none of them may be sent with `aggregates` or `none`. */
const SECRETS = ['ZQ-Ottilie', 'ZQ-Porto', '918273.645', '777123', '2031-07-19', 'ZQ-note'];
let table: LocalTable;

beforeAll(async () => {
  table = await localTable(
    `CREATE TABLE t_parsed AS SELECT range AS id, 'ZQ-person ' || range AS name, CASE WHEN range % 3 = 0 THEN 'ZQ-Porto' ELSE 'ZQ-Evora' END AS city,
      (range * 7 % 50)::DOUBLE + 0.25 AS price, 0::BIGINT AS bonus, DATE '2024-01-01' + (range % 300)::INT AS day, (range % 5)::INT AS rating FROM range(60)`,
    `INSERT INTO t_parsed VALUES (1000, 'ZQ-Ottilie', 'ZQ-note', 918273.645, 777123, DATE '2031-07-19', 3)`,
  );
}, 600_000);

async function send(sql: string, share: Share, { aggregate = false, standIns = new StandIns() } = {}): Promise<{ sent: Sent; wire: string; standIns: StandIns }> {
  const { sent } = await answerQuery(table, { id: 'result', sql, aggregate }, share, standIns);
  return { sent, wire: JSON.stringify(bounded([sent])), standIns };
}

const HOSTILE = [
  'SELECT * FROM t_parsed WHERE id = 1000',
  'SELECT name FROM t_parsed',
  'SELECT max(name), min(name), max(price), count(*) FROM t_parsed',
  'SELECT count(*), max(price) FROM t_parsed',
  "SELECT sum(price) FROM t_parsed WHERE name LIKE '%Ott%'",
  'SELECT avg(price), sum(price), count(*) FROM t_parsed WHERE id = 1000',
  'SELECT name, sum(price), avg(price), count(*) FROM t_parsed GROUP BY name',
  'SELECT city, sum(price) + 0 AS s, -sum(price) AS m FROM t_parsed GROUP BY city',
  'SELECT sum(bonus), sum(bonus) * 1 FROM t_parsed',
  'SELECT city, sum(bonus) FROM t_parsed GROUP BY city ORDER BY 2 DESC',
  'SELECT sum(CASE WHEN id = 1000 THEN price ELSE 0 END) FROM t_parsed',
  'SELECT sum(price) FILTER (WHERE id = 1000) FROM t_parsed',
  'SELECT any_value(name), arg_max(name, price), mode(name), median(price), count(*) FROM t_parsed',
  'SELECT string_agg(name, \',\'), list(city), count(*) FROM t_parsed',
  'SELECT count(*) AS n, first(name) FROM t_parsed GROUP BY city',
  'SELECT count(*) OVER (), name FROM t_parsed',
  'SELECT (SELECT max(name) FROM t_parsed), count(*) FROM t_parsed',
  'SELECT * FROM (SELECT name, count(*) FROM t_parsed GROUP BY name)',
  'SELECT * FROM (PIVOT t_parsed ON city USING count(*))',
  'SELECT DISTINCT city FROM t_parsed',
  'SELECT city FROM t_parsed GROUP BY city',
  'SELECT day, count(*) FROM t_parsed GROUP BY ALL',
  'SELECT histogram(city), count(*) FROM t_parsed',
  'SELECT name::INT FROM t_parsed',
  'SELECT count(*) FROM t_parsed WHERE name::DATE IS NULL',
  "SELECT error(name) FROM t_parsed",
  'SELECT a.name, count(*) FROM t_parsed a, t_parsed b GROUP BY 1',
  'SELECT round(sum(price), 3), round(avg(price), 3) FROM t_parsed WHERE id >= 1000',
  'SELECT corr(price, bonus), stddev(price), count(*) FROM t_parsed WHERE id >= 1000',
  'SELECT count(*) AS "ZQ", * FROM t_parsed GROUP BY ALL',
];

describe.each(['none', 'aggregates'] as const)('with %s, no cell leaves the browser', (share) => {
  test.each(HOSTILE)('%s', async (sql) => {
    const { wire } = await send(sql, share);
    for (const secret of SECRETS) expect(wire.replaceAll('"ZQ"', '')).not.toContain(secret);
    expect(wire).not.toMatch(/ZQ-|person/);
  });

  test.each(HOSTILE)('%s, said to be the server\'s own', async (sql) => {
    const { wire } = await send(sql, share, { aggregate: true });
    for (const secret of ['918273.645', '777123', '2031-07-19']) expect(wire).not.toContain(secret);
    expect(wire).not.toMatch(/ZQ-|person/);
  });
});

describe('with aggregates', () => {
  test('counts, and statistics of large groups, are sent', async () => {
    const { sent, standIns } = await send("SELECT city, count(*) AS n, round(avg(price), 4) AS p FROM t_parsed GROUP BY city ORDER BY n DESC", 'aggregates');
    expect(sent).toMatchObject({ columns: ['city', 'n', 'p'], rowCount: 3, truncated: false });
    const rows = (sent as { rows: unknown[][] }).rows;
    expect(rows[0]!.slice(0, 2)).toEqual(['city #1', 40]);
    expect(typeof rows[0]![2]).toBe('number');
    expect(rows[2]).toEqual(['city #3', 1, null]); // a group of one
    expect(standIns.reveal('Most are in city #1, fewest in city #3.')).toBe('Most are in ZQ-Evora, fewest in ZQ-note.');
  });

  test('stand-ins in the model\'s next query are the values', async () => {
    const standIns = new StandIns();
    await send('SELECT city, count(*) FROM t_parsed GROUP BY city ORDER BY 2 DESC', 'aggregates', { standIns });
    const { sent, wire } = await send("SELECT count(*), city = 'city #1' FROM t_parsed WHERE city = 'city #1' GROUP BY ALL", 'aggregates', { standIns });
    expect((sent as { rows: unknown[][] }).rows[0]![0]).toBe(40);
    expect(wire).not.toContain('ZQ');
  });

  test('rows are withheld, and their shape is sent', async () => {
    expect((await send('SELECT id, name FROM t_parsed', 'aggregates')).sent)
      .toEqual({ id: 'result', columns: ['id', 'name'], types: ['BIGINT', 'VARCHAR'], withheld: true, rowCount: 61 });
  });

  test('counts of the server\'s own queries are sent even if a cell is equal to one', async () => {
    const { sent } = await send('SELECT 0 AS item, count(*) AS n, count(*) FILTER (WHERE price IS NULL) AS nulls, avg(price) AS mean FROM t_parsed', 'aggregates', { aggregate: true });
    expect((sent as { rows: unknown[][] }).rows[0]!.slice(0, 3)).toEqual([0, 61, 0]);
    expect((sent as { rows: unknown[][] }).rows[0]![3]).toBeGreaterThan(1);
  });

  test('messages about the text of the query are sent, others are not', async () => {
    const binder = (await send('SELECT nosuch FROM t_parsed', 'aggregates')).sent as { error: string };
    expect(binder.error).toContain('nosuch');
    const conversion = (await send('SELECT name::INT FROM t_parsed', 'aggregates')).sent as { error: string };
    expect(conversion.error).toContain('not shared');
  });
});

test('with none, not even counts are sent', async () => {
  expect((await send('SELECT count(*) AS n FROM t_parsed', 'none')).sent).toEqual({ id: 'result', columns: ['n'], types: ['BIGINT'], withheld: true, rowCount: 1 });
  expect((await send('SELECT count(*) AS n FROM t_parsed', 'none', { aggregate: true })).sent).toHaveProperty('withheld', true);
});

test('with rows, values have the types of the wire', async () => {
  const { sent } = await send("SELECT id, name, price, day, id > 5 AS late, 1.10::DECIMAL(10,2) AS d, 9007199254740993::BIGINT AS big, 'nan'::DOUBLE AS nan, NULL AS nothing FROM t_parsed ORDER BY id LIMIT 1", 'rows');
  expect((sent as { rows: unknown[][] }).rows).toEqual([[0, 'ZQ-person 0', 0.25, '2024-01-01', false, '1.10', '9007199254740993', null, null]]);
});

test('a callback is not larger than the server takes', async () => {
  const rows = Array.from({ length: 1000 }, () => ['x'.repeat(2000)]);
  const [one] = bounded([{ id: 'a', columns: ['a'], types: ['VARCHAR'], rows, rowCount: 1000, truncated: false }]);
  expect(JSON.stringify(one).length).toBeLessThan(1_000_000);
  expect(one).toHaveProperty('truncated', true);
});

test('stand-ins with special names are translated, and unknown ones stay', () => {
  const standIns = new StandIns();
  const name = standIns.of('a.b (c)*', 'x');
  standIns.of('a', 'y');
  expect(standIns.reveal(`${name}, a #1, a #2, a #11`)).toBe('x, y, a #2, a #11');
});

test('stand-ins are found in Markdown that escapes them', () => {
  const standIns = new StandIns();
  standIns.of('home_town (of) \\birth', 'Evora');
  standIns.of('town', 'Faro');
  expect(standIns.reveal('In home\\_town \\(of\\) \\\\birth \\#1 and town \\#1, not town \\#2.')).toBe('In Evora and Faro, not town \\#2.');
});

