import type { DataAgentStreamEvent } from '../api/types';
import { liveWork } from './liveWork';

const EVENTS = [
  { type: 'discovery_complete', matchedDatasets: [{ name: 'orders', score: 0.8213 }] },
  { type: 'phase_start', phase: 'executor', description: 'Runs the queries' },
  { type: 'step_start', stepId: 1, description: 'Revenue by city', strategy: 'sql' },
  { type: 'tool_start', phase: 'executor', stepId: 1, name: 'query_database', args: {} },
] as unknown as DataAgentStreamEvent[];

const end = (result: string) => ({ type: 'tool_end', phase: 'executor', stepId: 1, name: 'query_database', result }) as DataAgentStreamEvent;
const TABLE = `| city | revenue |\n|---|---|\n${Array.from({ length: 9 }, (_, i) => `| c${i} | ${i} |`).join('\n')}\n… 3 more rows\n\n(12 rows, 4ms)`;

describe('the live work', () => {
  it('names the phase and what runs in it', () => {
    expect(liveWork(EVENTS)).toMatchObject({ phase: 'executor', about: 'Analyzing data · Revenue by city', found: [{ name: 'orders', score: 0.8213 }], rows: null });
  });

  it('has the first rows as soon as a query has them', () => {
    const { rows, about } = liveWork([...EVENTS, end(TABLE)]);
    expect(rows).toMatchObject({ description: 'Revenue by city', count: '12 rows' });
    expect(rows!.table.split('\n')).toHaveLength(7);
    expect(about).toBe('Runs the queries');
  });

  it('takes neither totals, messages nor broken tables for rows', () => {
    for (const result of ['| all_rows | sum_1 |\n|---|---|\n| 5 | 2 |', 'no table', '| a |\nno rule\n| 1 |', '| a |\n|---|']) expect(liveWork([...EVENTS, end(result)]).rows).toBeNull();
    expect(liveWork([...EVENTS, end(TABLE), end('| all_rows |\n|---|\n| 5 |')]).rows).not.toBeNull();
  });

  it('forgets rows when an earlier phase begins again', () => {
    const again = { type: 'phase_start', phase: 'sql_builder', description: 'x' } as DataAgentStreamEvent;
    expect(liveWork([...EVENTS, end(TABLE), again])).toMatchObject({ phase: 'sql_builder', rows: null });
  });
});
