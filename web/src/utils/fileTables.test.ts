import { tablesOf } from '../api/datasets';
import { columnRows, describeTable, sampleRows } from './fileTables';

const BODY = {
  dataset_id: 'd',
  files: [{
    name: 'orders.csv', table_name: 'orders', rows: 2000,
    schema: { id: 'int8', city: 'text' },
    columns: [{ name: 'id', type: 'int8', nulls: 0, distinct: 2000, min: '1', max: '2000' }, { name: 'city', type: 'text', nulls: 3, distinct: 5, min: 'Austin', max: 'Waco' }],
    sample_rows: [{ id: 1, city: 'Austin' }, { id: 2, city: null }],
    notes: ['2 lines were cut.'],
  }],
};

describe('the profile of a file', () => {
  it('has a row for each column', () => {
    const [table] = tablesOf(BODY);
    expect(columnRows(table!).rows).toEqual([
      { Column: 'id', Type: 'whole number', Nulls: 0, Distinct: 2000, Smallest: '1', Largest: '2000' },
      { Column: 'city', Type: 'text', Nulls: 3, Distinct: 5, Smallest: 'Austin', Largest: 'Waco' },
    ]);
    expect(describeTable(table!)).toBe('orders.csv: 2,000 rows, 2 columns');
    expect(sampleRows(table!).rows).toEqual([{ id: '1', city: 'Austin' }, { id: '2', city: null }]);
    expect(table!.notes).toEqual(['2 lines were cut.']);
  });

  it('has the columns of the schema where there is no profile', () => {
    const [table] = tablesOf({ files: [{ name: 'a.csv', schema: { n: 'numeric' }, sample_rows: [['1.50']] }] });
    expect(table).toMatchObject({ name: 'a.csv', rows: null, columns: [{ name: 'n', type: 'numeric', nulls: null }], sample: [['1.50']] });
    expect(describeTable(table!)).toBe('a.csv: 1 column');
  });

  it('keeps column names that mean something to JavaScript', () => {
    const body = JSON.parse('{"files":[{"name":"a.csv","schema":{"__proto__":"text","constructor":"int8"},"sample_rows":[{"__proto__":"p"}]}]}') as unknown;
    const [table] = tablesOf(body);
    expect(table!.columns.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
    expect(table!.sample).toEqual([['p', null]]);
    expect(Object.hasOwn(sampleRows(table!).rows[0]!, '__proto__')).toBe(true);
  });

  it('renders forty of five thousand columns, and lists them all', () => {
    const columns = Array.from({ length: 5000 }, (_, i) => ({ name: `c${i}`, type: 'text' }));
    const [table] = tablesOf({ files: [{ name: 'wide.csv', columns, sample_rows: [columns.map(({ name }) => name)] }] });
    expect(sampleRows(table!).columns).toHaveLength(40);
    expect(columnRows(table!).rows).toHaveLength(5000);
  });

  it.each([null, [], {}, { files: 'x' }, { files: [null, 3, 'x'] }, { files: [{ columns: [null, { name: 3 }] }] }])('takes anything for an answer: %j', (body) => {
    expect(() => tablesOf(body).map((table) => [columnRows(table), sampleRows(table)])).not.toThrow();
  });
});
