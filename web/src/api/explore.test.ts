import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Chunk } from '../utils/exploration';
import { answerCall, explore, fetchReport, type ExploreRequest } from './explore';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const REQUEST: ExploreRequest = { id: 'chat', question: 'q', messages: [], schema: [{ name: 'a', type: 'BIGINT' }], rowCount: 1, share: 'aggregates' };
const EVENTS = { headers: { 'content-type': 'text/event-stream' } };

async function followed(): Promise<string[]> {
  const types: string[] = [];
  await explore(REQUEST, { onChunk: (chunk: Chunk) => types.push(chunk.type), onConnection: () => undefined, signal: new AbortController().signal });
  return types;
}

test('a stream that is cut is resumed after its last chunk', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.post('*/api/agentic-explore-bridge', () => new HttpResponse('id: 1\ndata: {"type":"start","messageId":"m"}\n\n: keep-alive\n\nid: 2\ndata: {"type":"start-step"}\n\n', EVENTS)),
    http.get('*/api/agentic-explore-bridge/chat/stream', ({ request }) => {
      asked.push(request.headers.get('last-event-id'));
      return new HttpResponse('id: 3\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n', EVENTS);
    }),
  );
  expect(await followed()).toEqual(['start', 'start-step', 'finish']);
  expect(asked).toEqual(['2']);
});

test('an exploration that is over cannot be resumed, and this is said', async () => {
  server.use(
    http.post('*/api/agentic-explore-bridge', () => new HttpResponse('id: 1\ndata: {"type":"start","messageId":"m"}\n\n', EVENTS)),
    http.get('*/api/agentic-explore-bridge/chat/stream', () => new HttpResponse(null, { status: 204 })),
  );
  await expect(followed()).rejects.toThrow('ended while the connection was lost');
});

test.each([429, 503])('a refusal with %d is not tried again', async (status) => {
  let asked = 0;
  server.use(http.post('*/api/agentic-explore-bridge', () => {
    asked++;
    return HttpResponse.json({ statusCode: status, code: 'X', message: 'Not now.', success: false, error: 'Not now.' }, { status });
  }));
  await expect(followed()).rejects.toThrow('Not now.');
  expect(asked).toBe(1);
});

test('an answer is sent again until the server has it, and not after a 404', async () => {
  const answers = [() => HttpResponse.error(), () => new HttpResponse(null, { status: 502 }), () => HttpResponse.json({ success: true })];
  let asked = 0;
  server.use(http.post('*/api/tool-callback', () => answers[asked++]!()));
  await answerCall({ toolCallId: 'a', success: false, error: 'x' }, new AbortController().signal);
  expect(asked).toBe(3);
  let late = 0;
  server.use(http.post('*/api/tool-callback', () => {
    late++;
    return HttpResponse.json({ success: false }, { status: 404 });
  }));
  await answerCall({ toolCallId: 'a', success: false, error: 'x' }, new AbortController().signal);
  expect(late).toBe(1);
});

test('the report is text, or JSON with the text', async () => {
  const wanted = { question: 'q', schema: [], explorationResults: { summary: '', insights: [], executedQueries: [], charts: [] } };
  server.use(http.post('*/api/report', () => new HttpResponse('# R\n', { headers: { 'content-type': 'text/markdown' } })));
  expect(await fetchReport(wanted, () => undefined, new AbortController().signal)).toBe('# R\n');
  server.use(http.post('*/api/report', () => HttpResponse.json({ report: '# J' })));
  expect(await fetchReport(wanted, () => undefined, new AbortController().signal)).toBe('# J');
});
