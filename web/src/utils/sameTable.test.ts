import type { StepResult } from '../api/types';
import { withoutSameTables } from './sameTable';

const TEXT = 'Dallas leads.\n\n| city | net_revenue |\n|---|---:|\n| Dallas | 7 |\n\n- In total: 7.';
const step = (columns: string[], rowCount: number, more = {}) =>
  ({ stepId: 1, sqlResult: { columns, rowCount }, ...more }) as unknown as StepResult;

describe('withoutSameTables', () => {
  it('leaves out a table that a result shows', () =>
    expect(withoutSameTables(TEXT, [step(['city', 'net revenue'], 1)])).toBe('Dallas leads.\n\n- In total: 7.'));
  it.each([
    ['other columns', [step(['city', 'orders'], 1)]],
    ['fewer rows', [step(['city', 'net_revenue'], 0)]],
    ['a failed step', [step(['city', 'net_revenue'], 1, { error: 'no' })]],
    ['no steps', []],
  ])('keeps it: %s', (_why, steps) => expect(withoutSameTables(TEXT, steps)).toBe(TEXT));
});
