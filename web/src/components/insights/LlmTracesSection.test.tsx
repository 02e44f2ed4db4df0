import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { DataAgentStreamEvent } from '../../api/types';
import { show } from '../../test/render';
import { LlmTracesSection } from './LlmTracesSection';

const trace = (id: string, provider: string) => ({
  id, provider, phase: 'planner', purpose: `plan of ${provider}`, model: 'm', promptMessages: [], promptSections: null,
  startedAt: '2026-01-01T00:00:00.000Z', completedAt: '2026-01-01T00:00:01.000Z', error: null, totalTokens: 0, durationMs: 1000, responseContent: '',
});
let traces: ReturnType<typeof trace>[];
let asked: number;
const server = setupServer(http.get('*/traces', () => {
  asked += 1;
  return HttpResponse.json({ data: traces });
}));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => { asked = 0; });
afterAll(() => server.close());

const started = (provider: string): DataAgentStreamEvent => ({
  type: 'llm_call_start', phase: 'planner', callIndex: 0, purpose: `plan of ${provider}`, provider, model: 'm', structuredOutput: false, promptSummary: {},
}) as unknown as DataAgentStreamEvent;

const section = (messageId: string, events: DataAgentStreamEvent[] = []) =>
  <LlmTracesSection chatId="c" messageId={messageId} streamEvents={events} isStreaming={events.length > 0} />;

describe('LlmTracesSection', () => {
  it('has the calls of language models only', async () => {
    traces = [trace('a', 'builtin'), trace('b', 'openai')];
    show(section('mixed'));
    expect(await screen.findByText(/plan of openai/)).toBeInTheDocument();
    expect(screen.queryByText(/plan of builtin/)).toBeNull();
  });

  it('is absent where the built-in analyst answered', async () => {
    traces = [trace('a', 'builtin')];
    show(section('built-in'));
    await vi.waitFor(() => expect(asked).toBe(1));
    await new Promise((after) => setTimeout(after, 50));
    expect(screen.queryByText('LLM Traces')).toBeNull();
  });

  it('is absent while the built-in analyst answers', () => {
    const { unmount } = show(section('live', [started('builtin')]));
    expect(screen.queryByText('LLM Traces')).toBeNull();
    unmount();
    show(section('live', [started('anthropic')]));
    expect(screen.getByText('LLM Traces')).toBeInTheDocument();
  });
});
