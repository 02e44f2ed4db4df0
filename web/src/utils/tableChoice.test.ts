import { chooseSchema, chooseTable, countChosen, isChosen, selectionOf, type TableChoice } from './tableChoice';

const ALL = ['orders', 'items', 'stores'];
const start: TableChoice = new Map([['sales', 'all']]);
const tablesOf = async () => ALL;

describe('tableChoice', () => {
  it('takes one table out of a whole schema, and puts it back', () => {
    const some = chooseTable(start, 'sales', 'items', false, ALL);
    expect(isChosen(some, 'sales', 'items')).toBe(false);
    expect(isChosen(some, 'sales', 'orders')).toBe(true);
    expect(chooseTable(some, 'sales', 'items', true, ALL).get('sales')).toBe('all');
  });

  it('drops a schema with its last table', () => {
    const one = chooseTable(new Map(), 'sales', 'items', true, ALL);
    expect(chooseTable(one, 'sales', 'items', false, ALL).size).toBe(0);
    expect(chooseSchema(start, 'sales', false).size).toBe(0);
  });

  it('counts whole schemas and parts of them', () => {
    const both = chooseTable(start, 'hr', 'people', true, ['people', 'pay']);
    expect(countChosen(both, new Map([['sales', 3], ['hr', 2]]))).toBe(4);
  });

  it('names tables only where a schema is not wanted whole', async () => {
    expect(await selectionOf(start, tablesOf)).toEqual({ selectedSchemas: ['sales'], selectedTables: [] });
    const both = chooseTable(start, 'hr', 'people', true, ['people', 'pay']);
    expect(await selectionOf(both, tablesOf)).toEqual({
      selectedSchemas: ['sales', 'hr'],
      selectedTables: ['sales.orders', 'sales.items', 'sales.stores', 'hr.people'],
    });
  });
});
