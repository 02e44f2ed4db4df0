import { act, renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { LocalTable } from '../utils/disclosure';
import { useExploration } from './useExploration';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const EVENTS = { headers: { 'content-type': 'text/event-stream' } };
const ROWS = { columns: ['name', 'n'], types: ['VARCHAR', 'BIGINT'], rows: [['Ottilie', '7']], truncated: false };
const TABLE: LocalTable = {
  columns: [{ name: 'name', type: 'VARCHAR' }, { name: 'n', type: 'BIGINT' }], rowCount: 1, query: () => Promise.resolve(ROWS),
};
const frames = (...chunks: object[]) => chunks.map((chunk, i) => `id: ${i + 1}\ndata: ${JSON.stringify(chunk)}\n\n`).join('');
const CALL = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'executeSQLQuery', input: { reason: 'why', queries: [{ id: 'result', sql: 'SELECT * FROM t_parsed', aggregate: false }] } };
const FOUND = { status: 'exploration_complete', summary: 'S', insights: [], executedQueries: [], charts: [], metadata: {} };

test('a call is run here, answered as the share allows, and its rows are shown here', async () => {
  const asked: Record<string, unknown>[] = [];
  const answered: Record<string, unknown>[] = [];
  let ready: () => void;
  const wait = new Promise<void>((resolve) => { ready = resolve; });
  server.use(
    http.post('*/api/agentic-explore-bridge', async ({ request }) => {
      asked.push((await request.json()) as Record<string, unknown>);
      return new HttpResponse(frames({ type: 'start', messageId: 'm' }, { type: 'start-step' }, CALL), EVENTS);
    }),
    http.get('*/api/agentic-explore-bridge/*/stream', async () => {
      await wait;
      // From the beginning, as a server may: the call must not run again.
      return new HttpResponse(`${frames({ type: 'start', messageId: 'm' }, { type: 'start-step' }, CALL, { type: 'tool-output-available', toolCallId: 'c1', output: {} }, { type: 'data-exploration', id: 'm', data: FOUND }, { type: 'finish' })}data: [DONE]\n\n`, EVENTS);
    }),
    http.post('*/api/tool-callback', async ({ request }) => {
      answered.push((await request.json()) as Record<string, unknown>);
      ready();
      return HttpResponse.json({ success: true });
    }),
  );
  const { result } = renderHook(() => useExploration(TABLE));
  act(() => result.current.ask('Who?', 'aggregates'));
  await waitFor(() => expect(result.current.turns[0]?.progress.state).toBe('done'));
  expect(answered).toEqual([{ toolCallId: 'c1', success: true, result: { success: true, results: [{ id: 'result', columns: ['name', 'n'], types: ['VARCHAR', 'BIGINT'], withheld: true, rowCount: 1 }] } }]);
  expect(result.current.shown.get('c1')?.[0]?.result).toEqual(ROWS);
  expect(asked[0]).toMatchObject({ question: 'Who?', share: 'aggregates', rowCount: 1, schema: TABLE.columns });
  expect(JSON.stringify(asked)).not.toContain('Ottilie');
  expect(result.current.busy).toBe(false);

  act(() => result.current.ask('And then?', 'rows'));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toMatchObject({ sampleData: [{ name: 'Ottilie', n: 7 }] });
  expect((asked[1]!.messages as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  await waitFor(() => expect(result.current.busy).toBe(false));

  // A summary of rows may quote them.
  act(() => result.current.ask('And now?', 'aggregates'));
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(JSON.stringify(asked[2]!.messages)).toContain('Who?');
  expect(JSON.stringify(asked[2]!.messages)).not.toContain('And then?');
  await waitFor(() => expect(result.current.busy).toBe(false));
});

test('the query of a chart that was just run is not run again', async () => {
  const again = { ...CALL, toolCallId: 'c2', toolName: 'createVisualization' };
  const answered: string[] = [];
  let ready: () => void;
  const wait = new Promise<void>((resolve) => { ready = resolve; });
  server.use(
    http.post('*/api/agentic-explore-bridge', () => new HttpResponse(frames({ type: 'start', messageId: 'm' }, { type: 'start-step' }, CALL, again), EVENTS)),
    http.get('*/api/agentic-explore-bridge/*/stream', async () => {
      await wait;
      return new HttpResponse(`${frames({ type: 'data-exploration', id: 'm', data: FOUND }, { type: 'finish' })}data: [DONE]\n\n`, EVENTS);
    }),
    http.post('*/api/tool-callback', async ({ request }) => {
      answered.push(((await request.json()) as { toolCallId: string }).toolCallId);
      if (answered.length === 2) ready();
      return HttpResponse.json({ success: true });
    }),
  );
  const query = vi.fn((_sql: string) => Promise.resolve(ROWS));
  const table = { ...TABLE, query };
  const { result } = renderHook(() => useExploration(table));
  act(() => result.current.ask('Who?', 'rows'));
  await waitFor(() => expect(result.current.turns[0]?.progress.state).toBe('done'));
  expect(answered.toSorted()).toEqual(['c1', 'c2']);
  expect(query.mock.calls.filter(([sql]) => sql === 'SELECT * FROM t_parsed')).toHaveLength(1);
});

test('Stop ends the exploration here and on the server', async () => {
  const cancelled: string[] = [];
  server.use(
    http.post('*/api/agentic-explore-bridge', () => new HttpResponse(new ReadableStream({
      start: (to) => to.enqueue(new TextEncoder().encode(frames({ type: 'start', messageId: 'm' }, { type: 'start-step' }))),
    }), EVENTS)),
    http.post('*/api/agentic-explore-bridge/:id/cancel', ({ params }) => {
      cancelled.push(String(params.id));
      return HttpResponse.json({ success: true, message: '' });
    }),
  );
  const { result } = renderHook(() => useExploration(TABLE));
  act(() => result.current.ask('Who?', 'none'));
  await waitFor(() => expect(result.current.turns[0]?.progress.steps).toHaveLength(1));
  act(() => result.current.stop());
  await waitFor(() => expect(cancelled).toEqual([result.current.turns[0]!.id]));
  expect(result.current.turns[0]?.progress).toMatchObject({ state: 'failed', error: 'Stopped.' });
});

test('a refusal is shown, and the next question can be asked', async () => {
  server.use(http.post('*/api/agentic-explore-bridge', () => HttpResponse.json({ statusCode: 503, code: 'MODEL_UNAVAILABLE', message: 'No model.' }, { status: 503 })));
  const { result } = renderHook(() => useExploration(TABLE));
  act(() => result.current.ask('Who?', 'none'));
  await waitFor(() => expect(result.current.turns[0]?.progress).toMatchObject({ state: 'failed', error: 'No model.' }));
  act(() => result.current.ask('Again?', 'none'));
  expect(result.current.turns).toHaveLength(2);
  await waitFor(() => expect(result.current.turns[1]?.progress.state).toBe('failed'));
});
