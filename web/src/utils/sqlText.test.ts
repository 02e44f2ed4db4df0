import { describe, expect, test } from 'vitest';
import { readQuery, readTokens } from './sqlText';

describe('queries that run', () => {
  test.each([
    'SELECT 1',
    'select * from t_parsed;',
    ' -- why\n with a as (select 1) select * from a ; ; ',
    "select 'drop table t_parsed; --' from t_parsed",
    'select "delete", load, "set" from t_parsed where load > 1',
    'select count(*) from (select city from t_parsed) x',
    'select /* ; drop */ 1',
    'select replace(name, \'a\', \'b\') from t_parsed',
  ])('%s', (sql) => {
    expect(readQuery(sql)).toHaveProperty('sql');
  });

  test('trailing semicolons and blanks are not part of the query', () => {
    expect(readQuery('select 1 ;; ')).toHaveProperty('sql', 'select 1');
  });
});

describe('queries that are refused', () => {
  test.each([
    '', ';', 'drop table t_parsed', 'insert into t_parsed values (1)', 'update t_parsed set a = 1', 'delete from t_parsed',
    'select 1; select 2', 'select 1; drop table t_parsed', 'with a as (insert into t_parsed values (1)) select 1',
    'with a as (delete from t_parsed returning *) select * from a', 'with a as (select 1) delete from t_parsed',
    'copy t_parsed to \'x.csv\'', 'attach \'x.db\'', 'pragma version', 'set memory_limit = \'1GB\'', 'install httpfs', 'explain select 1',
    'select * from read_csv(\'/etc/passwd\')', 'select * from "read_text"(\'x\')', 'select getenv(\'HOME\')', 'select * from duckdb_settings()',
    'select * from query(\'select 1\')', 'select (1', 'select 1)', 'select \'open', 'select "open', 'select /* open', 'select /* a /* b */ c */ 1',
    'select $$a$$', 'select e\'\\\'\'',
  ])('%s', (sql) => {
    expect(readQuery(sql)).toHaveProperty('refused');
  });
});

test('a text that is too long is refused', () => {
  expect(readQuery(`select ${'1,'.repeat(20_000)}1`)).toHaveProperty('refused');
});

test('a hostile text is read in time that grows with its length alone', () => {
  const began = performance.now();
  for (const text of ['('.repeat(20_000), "'".repeat(19_999), '-'.repeat(20_000), '/*'.repeat(10_000), 'a '.repeat(10_000), ' '.repeat(20_000), '*/'.repeat(10_000)])
    readTokens(text);
  expect(performance.now() - began).toBeLessThan(20_000);
});
