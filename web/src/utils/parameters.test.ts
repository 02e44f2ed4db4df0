import type { Plan } from '../api/types';
import { parametersOf } from './parameters';

const plan = (part: Partial<Plan>) => ({ complexity: 'simple', metrics: ['revenue'], dimensions: [], filters: [], timeWindow: null, steps: [], ...part }) as unknown as Plan;

describe('parametersOf', () => {
  it('offers other periods, everything, and the total', () => {
    const all = parametersOf(plan({ dimensions: ['month'], filters: ['city is Houston'], timeWindow: '2024-01-01 to 2024-12-31' }));
    expect(all.map(({ name, value }) => `${name}: ${value}`)).toEqual(['Period: 2024', 'Only: Houston', 'By: month']);
    expect(all[0]!.others.map(({ question }) => question)).toContain('revenue by month for Houston in 2023');
    expect(all[1]!.others[0]!.question).toBe('revenue by month in 2024');
    expect(all[2]!.others[0]!.question).toBe('revenue for Houston in 2024');
  });
  it.each([
    ['two metrics', { metrics: ['a', 'b'] }], ['two filters', { filters: ['a is b', 'c is d'] }], ['another filter', { filters: ['a > 3'] }],
  ])('is silent about %s', (_what, part) => expect(parametersOf(plan({ dimensions: ['city'], ...part }))).toEqual([]));
});
