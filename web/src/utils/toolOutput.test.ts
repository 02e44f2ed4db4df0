import { expect, test } from 'vitest';
import { issuesOf, profileTable, verdictOf, verdictText } from './toolOutput';

const check = (name: string, passed: boolean, severity: string) => ({ name, passed, severity, message: `${name}.` });
const output = (passed: boolean, ...checks: object[]) => ({ success: true, data: { finding: 'A > B', passed, confidence: 'low', checks, statistics: {} } });

test('a verdict has its checks, and says in a few words what came of them', () => {
  const failed = verdictOf(output(false, check('significance', false, 'fail'), check('outliers', false, 'warn')))!;
  expect(failed.checks).toEqual([
    { name: 'significance', passed: false, fails: true, message: 'significance.' }, { name: 'outliers', passed: false, fails: false, message: 'outliers.' },
  ]);
  expect(verdictText(failed)).toBe('Not confirmed');
  expect(verdictText(verdictOf(output(true, check('outliers', false, 'warn')))!)).toBe('Passed, with warnings');
  expect(verdictText(verdictOf(output(true, check('result', true, 'fail')))!)).toBe('Passed');
});

test.each([null, 'x', [], {}, { data: [] }, { data: { passed: 'yes' } }, { success: true, omitted: true }])('%j is no verdict', (odd) => {
  expect(verdictOf(odd)).toBeNull();
  expect(issuesOf(odd)).toEqual([]);
});

test('odd checks do no harm', () => {
  expect(verdictOf({ data: { passed: true, checks: [null, 3, { message: { a: 1 } }] } })?.checks).toEqual([{ name: '', passed: false, fails: false, message: '' }]);
});

test('a profile has a row for each column, from its local results', () => {
  const counts = {
    columns: ['item', 'n_rows', 'n_values', 'n_distinct', 'mean', 'deviation', 'outliers', 'blanks'], types: [],
    rows: [['1', '40', '30', '7', '2.3333333333', null, '0', '0'], ['0', '40', '40', '40', null, null, '0', '0']], truncated: false,
  };
  const values = {
    columns: ['item', 'smallest', 'largest', 'q1', 'q2', 'q3', 'frequent'], types: [],
    rows: [['0', 'Ana', 'Zoe', null, null, null, 'Eva'], ['1', '1', '5', '2', '2', '3', '2']], truncated: false,
  };
  const table = profileTable([{ id: 'counts_0', result: counts }, { id: 'values_0', result: values }, { id: 'rows', result: null }],
    [{ name: 'name', type: 'VARCHAR' }, { name: 'n', type: 'BIGINT' }])!;
  expect(table.columns).toEqual(['name', 'type', 'missing', 'values', 'distinct', 'mean', 'outliers', 'smallest', 'lower quartile', 'median', 'upper quartile', 'largest', 'most frequent']);
  expect(table.rows).toEqual([
    ['name', 'VARCHAR', '0', '40', '40', null, null, 'Ana', null, null, null, 'Zoe', 'Eva'],
    ['n', 'BIGINT', '10', '30', '7', '2.33333', '0', '1', '2', '2', '3', '5', '2'],
  ]);
  expect(profileTable([], [])).toBeNull();
  expect(profileTable([{ id: 'counts_0', result: { ...counts, columns: [] } }], [{ name: 'a', type: '' }])).toBeNull();
});
