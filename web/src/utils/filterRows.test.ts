import { filterRows, sortRows } from './filterRows';
import type { Column } from './rows';

const city: Column = { name: 'city', type: 'text', kind: 'text' };
const sum: Column = { name: 'sum', type: 'numeric', kind: 'number' };
const rows = [
  { city: 'Dallas', sum: '12345678901234567890.10' },
  { city: null, sum: '1000' },
  { city: 'austin', sum: null },
  { city: 'Houston', sum: '12345678901234567890.20' },
];
const cities = (found: typeof rows | object[]) => found.map((row) => (row as (typeof rows)[number]).city);

describe('sortRows', () => {
  it('compares numbers with all their digits, nothing last', () => {
    expect(cities(sortRows(rows, { column: sum, down: true }))).toEqual(['Houston', 'Dallas', null, 'austin']);
    expect(cities(sortRows(rows, { column: sum, down: false }))).toEqual([null, 'Dallas', 'Houston', 'austin']);
  });

  it('does not part capital letters from small ones', () => {
    expect(cities(sortRows(rows, { column: city, down: false }))).toEqual(['austin', 'Dallas', 'Houston', null]);
  });
});

describe('filterRows', () => {
  it('finds a number as it is shown and as it is', () => {
    expect(cities(filterRows(rows, [city, sum], '1,000'))).toEqual([null]);
    expect(cities(filterRows(rows, [city, sum], '1000'))).toEqual([null]);
  });

  it('compares numbers', () => {
    expect(cities(filterRows(rows, [city, sum], '> 12,345,678,901,234,567,890.1'))).toEqual(['Houston']);
    expect(cities(filterRows(rows, [city, sum], '<=1000'))).toEqual([null]);
  });

  it('takes what is no number for text', () => {
    expect(cities(filterRows(rows, [city, sum], 'DALL'))).toEqual(['Dallas']);
    expect(filterRows(rows, [city, sum], '> d')).toEqual([]);
  });
});
