import { expect, test } from 'vitest';
import { apply, BEGUN, lastText, reasonOf, type Chunk, type Exploration } from './exploration';

const FOUND: Exploration = { status: 'exploration_complete', summary: 'S', insights: [], executedQueries: [], charts: [], metadata: { stepCount: 1, tokensUsed: 0, durationMs: 1 } };
const CHUNKS: Chunk[] = [
  { type: 'start', messageId: 'm' },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'I look ' },
  { type: 'text-delta', id: 't', delta: 'first.' },
  { type: 'text-end', id: 't' },
  { type: 'tool-input-available', toolCallId: 'a', toolName: 'executeSQLQuery', input: { query: 'select 1', reason: 'why' } },
  { type: 'tool-input-available', toolCallId: 'b', toolName: 'createVisualization', input: { title: 'T' } },
  { type: 'tool-output-error', toolCallId: 'b', errorText: 'Tool execution timeout after 30000ms' },
  { type: 'tool-output-available', toolCallId: 'a', output: { success: true } },
  { type: 'data-refused', id: 'c', data: { toolName: 'executeSQLQuery', output: { error: 'Only SELECT.' } } },
  { type: 'finish-step' },
  { type: 'start-step' },
  { type: 'text-delta', id: 'u', delta: 'Done.' },
  { type: 'finish-step' },
  { type: 'data-exploration', id: 'm', data: FOUND },
  { type: 'finish' },
];

test('chunks add up to steps with their calls', () => {
  const end = CHUNKS.reduce(apply, BEGUN);
  expect(end.state).toBe('done');
  expect(end.found).toEqual(FOUND);
  expect(end.steps.map((step) => [step.text, step.calls.map(({ id, state, error }) => [id, state, error])])).toEqual([
    ['I look first.', [['a', 'done', null], ['b', 'failed', 'Tool execution timeout after 30000ms'], ['c', 'failed', 'Only SELECT.']]],
    ['Done.', []],
  ]);
  expect(lastText(end)).toBe('Done.');
  expect(reasonOf(end.steps[0]!.calls[0]!)).toBe('why');
});

test('a replay from the start, or of one call, changes nothing', () => {
  const once = CHUNKS.reduce(apply, BEGUN);
  expect(CHUNKS.reduce(apply, once)).toEqual(once);
  const doubled = CHUNKS.flatMap((chunk): Chunk[] => (chunk.type === 'tool-input-available' ? [chunk, chunk] : [chunk]));
  expect(doubled.reduce(apply, BEGUN)).toEqual(once);
});

test('an error ends it with what was found so far', () => {
  const end = [...CHUNKS.slice(0, 7), { type: 'error', errorText: 'The run was cancelled.' } as Chunk].reduce(apply, BEGUN);
  expect(end).toMatchObject({ state: 'failed', error: 'The run was cancelled.', found: null });
  expect(end.steps).toHaveLength(1);
});

test('unknown chunks and ends of unknown calls change nothing', () => {
  expect(apply(BEGUN, { type: 'data-new' } as unknown as Chunk)).toBe(BEGUN);
  expect(apply(BEGUN, { type: 'tool-output-available', toolCallId: 'x', output: 1 })).toEqual(BEGUN);
});
