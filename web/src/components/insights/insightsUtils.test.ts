import type { DataAgentStreamEvent, Plan } from '../../api/types';
import { answer, SQL_STEP } from '../../test/samples';
import {
  extractLiveTokens, extractPhaseDetails, extractPlan, extractStepStatuses, formatDuration,
  formatTokenCount,
} from './insightsUtils';

const plan = { intent: 'x', steps: [{ id: 1, description: 'one', strategy: 'sql' }] } as unknown as Plan;
const tokens = (prompt: number, completion: number): DataAgentStreamEvent => ({
  type: 'token_update', phase: 'planner',
  tokensUsed: { prompt, completion, total: prompt + completion },
});

describe('insightsUtils', () => {
  it('should extract live tokens from stream events', () => {
    expect(extractLiveTokens([tokens(100, 50), tokens(200, 75)])).toEqual({
      prompt: 300, completion: 125, total: 425,
    });
  });

  it('should extract plan from stream events', () => {
    const events: DataAgentStreamEvent[] = [{ type: 'phase_artifact', phase: 'planner', artifact: plan }];
    expect(extractPlan(events, [])?.steps).toHaveLength(1);
  });

  it('falls back to the metadata of the latest answer', () => {
    expect(extractPlan([], [answer({ plan })])).toBe(plan);
    expect(extractPlan([], [])).toBeNull();
  });

  it('follows steps as they run, fail and end', () => {
    const events: DataAgentStreamEvent[] = [
      { type: 'step_start', stepId: 1, description: 'one', strategy: 'sql' },
      { type: 'step_start', stepId: 2, description: 'two', strategy: 'sql' },
      { type: 'step_complete', stepId: 2, error: 'no such column' },
    ];
    expect(extractStepStatuses(events, [])).toEqual([
      { stepId: 1, status: 'running', summary: null },
      { stepId: 2, status: 'failed', summary: 'no such column' },
    ]);
    expect(extractStepStatuses([], [answer({ stepResults: [SQL_STEP] })])).toEqual([
      { stepId: 1, status: 'complete', summary: '2 rows' },
    ]);
  });

  it('gathers the tool calls of each phase', () => {
    const events: DataAgentStreamEvent[] = [
      { type: 'phase_start', phase: 'executor', description: '' },
      { type: 'tool_start', phase: 'executor', stepId: 1, name: 'query_database', args: { sql: 'SELECT 1' } },
      { type: 'tool_start', phase: 'executor', stepId: 2, name: 'query_database', args: {} },
      { type: 'tool_error', phase: 'executor', stepId: 2, name: 'query_database', error: 'timeout' },
    ];
    const executor = extractPhaseDetails(events, []).find((d) => d.phase === 'executor')!;
    expect(executor.status).toBe('active');
    expect(executor.toolCalls).toMatchObject([{ stepId: 1, running: true }, { stepId: 2, running: false, error: 'timeout' }]);
  });

  it('formats durations and counts', () => {
    expect([formatDuration(0), formatDuration(28_500), formatDuration(600_000)]).toEqual(['0:00', '0:28', '10:00']);
    expect(formatTokenCount(1234567)).toBe('1,234,567');
  });
});
