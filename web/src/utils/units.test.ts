import type { OntologyGraph } from '../api/types';
import { unitOf, unitOfColumn, unitsOf, withUnit } from './units';

describe('units', () => {
  it('come from the words of a description', () => {
    expect(unitOf('Price of one unit, before discount, in US dollars.')).toEqual({ kind: 'money', symbol: '$' });
    expect(unitOf('Amount in EUR')).toEqual({ kind: 'money', symbol: '€' });
    expect(unitOf('Umsatz in CHF')).toEqual({ kind: 'money', symbol: 'CHF' });
    expect(unitOf('Discount on the line in percent, 0 if there was none.')).toEqual({ kind: 'percent' });
    expect(unitOf('The price less the discount in percent, in US dollars.')).toEqual({ kind: 'money', symbol: '$' });
    expect(unitOf('Number of units; those in THE box')).toBeNull();
    expect(unitOf('Sales floor in square feet')).toBeNull();
    expect(unitOf('')).toBeNull();
  });

  const field = (name: string, description: string) => ({ id: name, label: 'Field' as const, name, properties: { description } });
  const graph = {
    nodes: [field('unit_price', 'In US dollars.'), field('discount', 'In percent.'), field('amount', 'In euros'), field('amount', 'Number of units')],
    edges: [],
    metrics: [{ name: 'revenue', description: 'All order lines in US dollars', synonyms: ['net sales'] }],
  } as unknown as OntologyGraph;

  it('belong to columns that are named like a field or a metric', () => {
    const units = unitsOf(graph);
    for (const name of ['revenue', 'Net_Sales', 'total revenue', 'avg_unit_price']) expect(unitOfColumn(units, name)).toEqual({ kind: 'money', symbol: '$' });
    expect(unitOfColumn(units, 'discount')).toEqual({ kind: 'percent' });
    expect(unitOfColumn(units, 'revenue_share')).toBeNull();
    expect(unitOfColumn(units, 'amount')).toBeNull(); // euros or a count
    expect(unitsOf(undefined).size).toBe(0);
  });

  it('are written with the number, which keeps its digits', () => {
    expect(withUnit('1,234.50', { kind: 'money', symbol: '$' })).toBe('$1,234.50');
    expect(withUnit('-5', { kind: 'money', symbol: 'CHF' })).toBe('-CHF 5');
    expect(withUnit('12.5', { kind: 'percent' })).toBe('12.5%');
    expect(withUnit('', { kind: 'percent' })).toBe('');
  });
});
