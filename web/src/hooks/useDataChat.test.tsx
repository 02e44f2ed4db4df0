import { act, renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { Surroundings } from '../test/render';
import { chat, CHAT_ID, message } from '../test/samples';
import { followRun, forgetAllRuns } from '../utils/runStore';
import { useDataChat } from './useDataChat';

const question = message({ id: 'q', role: 'user', content: 'Why?' });
const place = message({ id: 'a', parentId: 'q', status: 'generating', content: '' });
const server = setupServer();

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** A stream whose chunks split events and characters. */
function stream(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(controller) {
      for (let i = 0; i < bytes.length; i += 7) controller.enqueue(bytes.slice(i, i + 7));
      controller.close();
    },
  });
  return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

function frame(id: number, data: Record<string, unknown>): string {
  return `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}

const COMPLETE = { type: 'message_complete', messageId: 'a', content: 'Städte: Köln', status: 'complete', metadata: { durationMs: 5 } };

describe('useDataChat', () => {
  it('should update phase progress on phase_start event', () => {
    const { result } = renderHook(() => useDataChat(), { wrapper: Surroundings });
    act(() => result.current.handleEvent({ type: 'phase_start', phase: 'navigator', description: '' }));
    expect(result.current.phaseProgress.current).toBe('navigator');
  });

  it('takes back what a restart makes void', () => {
    const { result } = renderHook(() => useDataChat(), { wrapper: Surroundings });
    act(() => {
      result.current.store.add({ type: 'phase_start', phase: 'planner', description: '' }, 1);
      result.current.store.add({ type: 'message_chunk', chunk: 'half a' }, 2);
      result.current.store.add({ type: 'phase_restart', phase: 'planner', attempt: 2, afterId: 1 }, 3);
      result.current.store.flush();
    });
    expect(result.current.store.view().content).toBe('');
    expect(result.current.phaseProgress.current).toBe('planner');
  });

  it('sends, streams, and comes back after a cut with Last-Event-ID', async () => {
    let saved = chat();
    const after: (string | null)[] = [];
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: saved })),
      http.post(`*/api/data-agent/chats/${CHAT_ID}/messages`, () =>
        HttpResponse.json({ data: { userMessage: question, assistantMessage: place } }, { status: 201 })),
      http.post('*/messages/a/stream', () =>
        stream(`: connected\n\n${frame(1, { type: 'phase_start', phase: 'planner', description: '' })}`)),
      http.get('*/messages/a/events', ({ request }) => {
        after.push(request.headers.get('last-event-id'));
        saved = chat({ messages: [question, { ...place, status: 'complete', content: COMPLETE.content }] });
        return stream(frame(2, COMPLETE));
      }),
    );
    const { result } = renderHook(() => useDataChat(CHAT_ID), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.chat).not.toBeNull());
    await act(() => result.current.sendMessage('Why?'));
    expect(result.current.isStreaming).toBe(true);
    await waitFor(() => expect(result.current.isStreaming).toBe(false));
    expect(after).toEqual(['1']);
    expect(result.current.path.map((p) => p.message.content)).toEqual(['Why?', 'Städte: Köln']);
  });

  it('follows what another tab began', async () => {
    let saved = chat({ messages: [question, place] });
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: saved })),
      http.post('*/messages/a/stream', ({ request }) => {
        expect(new URL(request.url).searchParams.get('join')).toBe('true'); // else it is refused, and the console says so
        saved = chat({ messages: [question, { ...place, status: 'complete', content: COMPLETE.content }] });
        return stream(frame(1, COMPLETE));
      }),
    );
    const { result } = renderHook(() => useDataChat(CHAT_ID), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.path.at(-1)?.message.content).toBe('Städte: Köln'));
    expect(result.current.isStreaming).toBe(false);
  });

  it('knows at once why an answer ended and what was called, before it is read again', async () => {
    let reads = 0;
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => {
        reads += 1;
        return reads === 1
          ? HttpResponse.json({ data: chat({ messages: [question, place] }) })
          : new Promise<Response>(() => undefined);
      }),
      http.post('*/messages/a/stream', () => stream(
        frame(1, { type: 'tool_call', toolCallId: 'x', name: 'query_database', args: {} }) +
        frame(2, { type: 'message_error', message: 'Stopped', error: 'Stopped', code: 'CANCELLED' }))),
    );
    const { result } = renderHook(() => useDataChat(CHAT_ID), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.path.at(-1)?.message).toMatchObject({
      status: 'failed', metadata: { error: { code: 'CANCELLED' }, toolCalls: [{ toolCallId: 'x' }] },
    }));
  });

  it('says what the server refused', async () => {
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages: [question, place] }) })),
      http.post('*/messages/a/stream', () =>
        HttpResponse.json({ statusCode: 429, code: 'RATE_LIMITED', message: 'One answer at a time', requestId: 'r' }, { status: 429 })),
    );
    const { result } = renderHook(() => useDataChat(CHAT_ID), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.refusal).toMatchObject({ code: 'RATE_LIMITED', requestId: 'r' }));
    expect(result.current.isStreaming).toBe(false);
  });

  it('cancels an answer whose start was refused before the next question', async () => {
    const told: string[] = [];
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages: [question, place] }) })),
      http.post('*/messages/a/stream', () =>
        HttpResponse.json({ statusCode: 429, code: 'RATE_LIMITED', message: 'One answer at a time', requestId: 'r' }, { status: 429 })),
      http.post('*/messages/a/cancel', () => {
        told.push('cancel');
        return HttpResponse.json({ data: { messageId: 'a', cancelled: true, status: 'failed' } });
      }),
      http.post(`*/api/data-agent/chats/${CHAT_ID}/messages`, () => {
        told.push('question');
        return HttpResponse.json({ statusCode: 503, code: 'UNAVAILABLE', message: 'x', requestId: 'r' }, { status: 503 });
      }),
    );
    const { result } = renderHook(() => useDataChat(CHAT_ID), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.refusal).toBeTruthy());
    await act(() => result.current.sendMessage('Another?').catch(() => undefined));
    expect(told).toEqual(['cancel', 'question']);
  });

  it('never shows what one answer said in the place of the next', async () => {
    const seen: string[] = [];
    const second = { ...place, id: 'b', parentId: 'p' };
    let saved = chat();
    const pairs = [
      { userMessage: question, assistantMessage: place },
      { userMessage: { ...question, id: 'p', parentId: 'a' }, assistantMessage: second },
    ];
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: saved })),
      http.post(`*/api/data-agent/chats/${CHAT_ID}/messages`, () =>
        HttpResponse.json({ data: pairs.shift() }, { status: 201 })),
      http.post('*/messages/a/stream', () => {
        saved = chat({ messages: [question, { ...place, status: 'complete', content: COMPLETE.content }] });
        return stream(frame(1, { type: 'message_chunk', chunk: COMPLETE.content }) + frame(2, COMPLETE));
      }),
      http.post('*/messages/b/stream', () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } })),
    );
    const { result } = renderHook(() => {
      const state = useDataChat(CHAT_ID);
      const last = state.path.at(-1)?.message;
      if (state.pending !== null || last?.id === 'b') seen.push(state.store.view().content);
      return state;
    }, { wrapper: Surroundings });
    await waitFor(() => expect(result.current.chat).not.toBeNull());
    await act(() => result.current.sendMessage('Why?'));
    await waitFor(() => expect(result.current.isStreaming).toBe(false));
    expect(result.current.store.view().content).toBe(COMPLETE.content);
    await act(() => result.current.sendMessage('And?'));
    expect(result.current.path.at(-1)?.message.id).toBe('b');
    expect(seen.filter((text) => text !== '')).toEqual([]);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('follows an answer again whose chat is known already', async () => {
    const store = followRun(CHAT_ID, 'a', () => undefined);
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages: [question, place] }) })),
      http.post('*/messages/a/stream', () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } })),
    );
    const { result, rerender } = renderHook(({ id }) => useDataChat(id), { wrapper: Surroundings, initialProps: { id: CHAT_ID as string | undefined } });
    await waitFor(() => expect(result.current.store).toBe(store));
    rerender({ id: undefined });
    expect(result.current.store).not.toBe(store);
    rerender({ id: CHAT_ID });
    expect(result.current.store).toBe(store);
    forgetAllRuns();
  });
});
