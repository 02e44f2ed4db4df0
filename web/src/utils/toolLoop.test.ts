import type { DataAgentStreamEvent, Metadata } from '../api/types';
import { RunStore } from './runStore';
import { activityOf, settledCalls } from './toolLoop';

const chunk = (text: string): DataAgentStreamEvent => ({ type: 'message_chunk', chunk: text });
const call = (id: string, name = 'query_database'): DataAgentStreamEvent =>
  ({ type: 'tool_call', toolCallId: id, name, args: { sql: 'SELECT 1' } });
const result = (id: string, text: string, error?: string): DataAgentStreamEvent =>
  ({ type: 'tool_result', toolCallId: id, name: 'query_database', result: text, ...(error ? { error } : {}) });
const words = (content: string): DataAgentStreamEvent => ({ type: 'text', content });
const counted = (total: number): DataAgentStreamEvent =>
  ({ type: 'token_update', tokensUsed: { prompt: total, completion: 0, total } });

/** The state after these events, numbered from 1. */
function after(...events: DataAgentStreamEvent[]) {
  const store = new RunStore();
  events.forEach((event, i) => store.add(event, i + 1));
  store.flush();
  return store.view();
}

describe('toolLoop', () => {
  it('puts the words before a call into its round, and keeps the last ones as the answer', () => {
    const { rounds, content } = after(
      chunk('Let me '), chunk('look.'), call('a'), result('a', '12 rows'), words('Let me look.'), counted(150),
      chunk('**Dallas'), chunk('** leads.'), counted(300), words('**Dallas** leads.'),
    );
    expect(rounds).toEqual([{
      words: 'Let me look.', over: true,
      calls: [{ toolCallId: 'a', name: 'query_database', args: { sql: 'SELECT 1' }, result: '12 rows', running: false }],
    }]);
    expect(content).toBe('**Dallas** leads.');
  });

  it('keeps calls that run side by side in one round, in their order, matched by id', () => {
    const { rounds } = after(call('a'), call('b'), result('b', 'second'), result('a', 'no', 'no such column'));
    expect(rounds).toHaveLength(1);
    expect(rounds[0]!.calls).toMatchObject([
      { toolCallId: 'a', error: 'no such column', running: false }, { toolCallId: 'b', result: 'second', running: false },
    ]);
  });

  it('takes an id that comes again for a new call', () => {
    const { rounds } = after(call('call_1'), result('call_1', 'one'), counted(0), call('call_1'), result('call_1', 'two'));
    expect(rounds.map((round) => round.calls.map((c) => c.result))).toEqual([['one'], ['two']]);
  });

  it('tells rounds without words apart', () => {
    const { rounds } = after(call('a'), result('a', 'x'), counted(1), call('b'));
    expect(rounds.map((round) => round.calls.length)).toEqual([1, 1]);
    expect(rounds[1]!.calls[0]!.running).toBe(true);
  });

  it('shows words that came whole, without pieces', () => {
    const { rounds, content } = after(call('a'), result('a', 'x'), words('First the names.'), counted(1), words('Done.'));
    expect(rounds[0]!.words).toBe('First the names.');
    expect(content).toBe('Done.');
  });

  it('takes back what a restart makes void: words, calls and results', () => {
    const before = [call('a'), result('a', 'x'), counted(1)];
    const restart: DataAgentStreamEvent = { type: 'phase_restart', phase: 'react', attempt: 2, afterId: 3 };
    const { rounds, content } = after(...before, chunk('Half a'), call('b'), restart);
    expect(rounds).toHaveLength(1);
    expect(rounds[0]!.calls).toMatchObject([{ toolCallId: 'a', result: 'x' }]);
    expect(content).toBe('');
    const resumed = after(...before, chunk('Half a'), call('b'), restart, call('b'));
    expect(resumed.rounds.map((round) => round.words)).toEqual(['', '']);
  });

  it('takes the text of a phase for the answer, as ever', () => {
    const phase = { phase: 'explainer' as const };
    const { rounds, content } = after(
      { type: 'phase_start', ...phase, description: '' }, chunk('Half'), words('All of it'),
      { type: 'token_update', ...phase, tokensUsed: { prompt: 1, completion: 1, total: 2 } },
    );
    expect(rounds).toEqual([]);
    expect(content).toBe('All of it');
  });

  it('is not waiting any more as soon as the model speaks', () => {
    const waiting: DataAgentStreamEvent = { type: 'run_status', reason: 'model_rate_limited', retryInMs: 500 };
    expect(after(waiting).waiting).toBe('model_rate_limited');
    expect(after(waiting, chunk('A')).waiting).toBeNull();
  });

  it('says what runs', () => {
    expect(activityOf(after(call('a'), call('b', 'run_python'), call('c')).rounds))
      .toBe('Analyzing data, Running Python analysis');
    expect(activityOf(after(call('a'), result('a', 'x')).rounds)).toBe('Thinking');
    expect(activityOf(after(call('a', 'brand_new')).rounds)).toBe('brand_new');
  });

  it('reads the calls of a finished answer, not those of phases', () => {
    const toolCalls = [
      { toolCallId: 'a', name: 'query_database', args: {}, result: 'x' },
      { phase: 'executor', name: 'query_database', args: {}, result: 'y' },
    ];
    expect(settledCalls({ toolCalls } as unknown as Metadata))
      .toEqual([{ toolCallId: 'a', name: 'query_database', args: {}, result: 'x', running: false, past: true }]);
    expect(settledCalls(null)).toEqual([]);
  });
});
