import { printedBy } from './pythonRows';

const LINE = '{"columns":["city","n","n"],"rows":[["Porto",5,1.5],["Faro",null,2]],"row_count":7,"truncated":true}';

describe('what code printed', () => {
  it('ends with the rows that it returned', () => {
    const { text, rows } = printedBy(`Two lines\nof text\n\n${LINE}\n`);
    expect(text).toBe('Two lines\nof text');
    expect(rows).toMatchObject({
      columns: [{ name: 'city', kind: 'text' }, { name: 'n', kind: 'number' }, { name: 'n_2', kind: 'number' }],
      rows: [{ city: 'Porto', n: 5, n_2: 1.5 }, { city: 'Faro', n: null, n_2: 2 }], total: 7,
    });
    expect(printedBy(`\n${LINE}`).text).toBe('');
  });

  it.each([
    '', 'Nothing', LINE.slice(0, -3), `${LINE}\nand more`, '{"columns":[3],"rows":[],"row_count":0,"truncated":false}',
    '{"columns":["a"],"rows":[{}],"row_count":1,"truncated":false}', '{"columns":[],"rows":[],"row_count":0,"truncated":false}',
  ])('stays as it is without them: %j', (stdout) => {
    expect(printedBy(stdout)).toEqual({ text: stdout, rows: null });
  });
});
