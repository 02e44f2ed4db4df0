import { act, renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { ModelRun } from '../api/types';
import { Surroundings } from '../test/render';
import { useModelRun, useOntologyOf } from './useModelRun';

const server = setupServer();
const RUN = {
  id: 'r', name: 'retail', status: 'running', semanticModelId: null, progress: { stage: 'discover', done: 0, total: 4 },
} as unknown as ModelRun;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** A stream that stays open until it is closed. */
function stream() {
  let to: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      to = controller;
    },
  });
  const send = (id: number, event: Record<string, unknown>) =>
    to.enqueue(new TextEncoder().encode(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\nid: ${id}\n\n`));
  const answer = () => new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
  return { answer, send, close: () => to.close() };
}

function serve(run: () => ModelRun) {
  server.use(http.get('*/api/semantic-models/runs/r', () => HttpResponse.json({ data: run() })));
}

describe('useModelRun', () => {
  it('follows a build to its end', async () => {
    const line = stream();
    let run = RUN;
    serve(() => run);
    server.use(http.post('*/api/semantic-models/runs/r/stream', line.answer));
    const { result } = renderHook(() => useModelRun('r'), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.connection).toBe('open'));
    act(() => line.send(1, { type: 'run_progress', stage: 'describe', done: 2, total: 4 }));
    await waitFor(() => expect(result.current.run?.progress).toEqual({ stage: 'describe', done: 2, total: 4 }));
    expect(result.current.running).toBe(true);
    run = { ...RUN, status: 'complete', semanticModelId: 'm' } as ModelRun;
    act(() => {
      line.send(2, { type: 'run_complete', semanticModelId: 'm' });
      line.close();
    });
    await waitFor(() => expect(result.current.run?.semanticModelId).toBe('m'));
    expect(result.current.running).toBe(false);
  });

  it('comes back after a cut, behind the last event it saw', async () => {
    const lines = [stream(), stream()];
    const after: (string | null)[] = [];
    serve(() => RUN);
    server.use(http.post('*/api/semantic-models/runs/r/stream', ({ request }) => {
      after.push(request.headers.get('last-event-id'));
      return lines[after.length - 1]!.answer();
    }));
    const { result } = renderHook(() => useModelRun('r'), { wrapper: Surroundings });
    await waitFor(() => expect(after).toEqual([null]));
    act(() => {
      lines[0]!.send(7, { type: 'run_progress', stage: 'describe', done: 1, total: 4 });
      lines[0]!.close();
    });
    await waitFor(() => expect(after).toEqual([null, '7']));
    act(() => lines[1]!.send(8, { type: 'run_progress', stage: 'describe', done: 3, total: 4 }));
    await waitFor(() => expect(result.current.run?.progress?.done).toBe(3));
  });

  it('does not follow what is over, and says what was refused', async () => {
    serve(() => ({ ...RUN, status: 'failed' }) as ModelRun);
    const { result } = renderHook(() => useModelRun('r'), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.run?.status).toBe('failed'));
    expect(result.current.running).toBe(false);
    server.use(http.get('*/api/semantic-models/runs/r', () =>
      HttpResponse.json({ statusCode: 404, code: 'NOT_FOUND', message: 'No such run', requestId: 'q' }, { status: 404 })));
    await act(() => result.current.refetch());
    await waitFor(() => expect(result.current.error).toMatchObject({ code: 'NOT_FOUND' }));
  });

  it('stops a build', async () => {
    const line = stream();
    serve(() => RUN);
    server.use(
      http.post('*/api/semantic-models/runs/r/stream', line.answer),
      http.post('*/api/semantic-models/runs/r/cancel', () => HttpResponse.json({ data: { ...RUN, status: 'cancelled' } })),
    );
    const { result } = renderHook(() => useModelRun('r'), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.running).toBe(true));
    await act(() => result.current.cancel());
    await waitFor(() => expect(result.current.running).toBe(false));
  });
});

describe('useOntologyOf', () => {
  it('makes the ontology of a complete model, if there is none', async () => {
    const made: unknown[] = [];
    server.use(
      http.get('*/api/ontologies', () => HttpResponse.json({ data: { items: [], meta: {} } })),
      http.post('*/api/ontologies', async ({ request }) => {
        made.push(await request.json());
        return HttpResponse.json({ data: { id: 'o', name: 'retail' } }, { status: 201 });
      }),
    );
    const complete = { ...RUN, status: 'complete', semanticModelId: 'm' } as ModelRun;
    const { result } = renderHook(() => useOntologyOf(complete), { wrapper: Surroundings });
    await waitFor(() => expect(result.current.data?.id).toBe('o'));
    expect(made).toEqual([{ name: 'retail', semanticModelId: 'm' }]);
  });
});
