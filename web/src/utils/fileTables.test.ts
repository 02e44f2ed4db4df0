import { datasetTable } from '../test/samples';
import { columnRows, describeTable, sampleRows } from './fileTables';

const ORDERS = datasetTable({
  rows: 2000,
  columns: [{ name: 'id', type: 'int8', nulls: 0, distinct: 2000, min: '1', max: '2000' }, { name: 'city', type: 'text', nulls: 3, distinct: 5, min: 'Austin', max: 'Waco' }],
  sample_rows: [{ id: '1', city: 'Austin' }, { id: '2', city: null }],
});

describe('the profile of a file', () => {
  it('has a row for each column', () => {
    expect(columnRows(ORDERS).rows).toEqual([
      { Column: 'id', Type: 'whole number', Nulls: 0, Distinct: 2000, Smallest: '1', Largest: '2000' },
      { Column: 'city', Type: 'text', Nulls: 3, Distinct: 5, Smallest: 'Austin', Largest: 'Waco' },
    ]);
    expect(sampleRows(ORDERS).rows).toEqual([{ id: '1', city: 'Austin' }, { id: '2', city: null }]);
  });

  it('has empty cells for what was not counted', () => {
    expect(columnRows({ ...ORDERS, columns: [{ name: 'n', type: 'numeric' }] }).rows).toEqual([
      { Column: 'n', Type: 'decimal number', Nulls: null, Distinct: null, Smallest: null, Largest: null },
    ]);
  });

  it('says which numbers of distinct values are estimates, if any are', () => {
    const [id, city] = ORDERS.columns;
    const { columns, rows } = columnRows({ ...ORDERS, columns: [{ ...id!, approximate: true }, city!] });
    expect(columns.at(-1)!.name).toBe('Distinct is');
    expect(rows.map((row) => row['Distinct is'])).toEqual(['an estimate', 'exact']);
  });

  it('is told in one line', () => {
    expect(describeTable(ORDERS)).toBe('orders.csv: 2,000 rows, 2 columns');
    expect(describeTable({ ...ORDERS, name: 'a.xlsx', sheet: 'May', rows: 1 })).toBe('a.xlsx, sheet May: 1 row, 2 columns');
  });

  it('keeps column names that mean something to JavaScript', () => {
    const columns = ['__proto__', 'constructor'].map((name) => ({ name, type: 'text' }));
    const sample_rows = [JSON.parse('{"__proto__":"p"}')] as unknown[];
    const [row] = sampleRows({ ...ORDERS, columns, sample_rows }).rows;
    expect(Object.entries(row!)).toEqual([['__proto__', 'p'], ['constructor', null]]);
  });

  it('renders forty of five thousand columns, and lists them all', () => {
    const columns = Array.from({ length: 5000 }, (_, i) => ({ name: `c${i}`, type: 'text' }));
    const wide = { ...ORDERS, columns, sample_rows: [Object.fromEntries(columns.map(({ name }) => [name, name]))] };
    expect(sampleRows(wide).columns).toHaveLength(40);
    expect(columnRows(wide).rows).toHaveLength(5000);
  });
});
