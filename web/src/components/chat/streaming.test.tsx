/** How much is rendered while an answer is written. */
import { act, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { useMemo } from 'react';
import type { DataAgentStreamEvent, DataChatMessage } from '../../api/types';
import { useDataChat } from '../../hooks/useDataChat';
import type { Turn } from '../../hooks/useExploration';
import { show, Surroundings } from '../../test/render';
import { chat, CHAT_ID, message, SQL_STEP } from '../../test/samples';
import { BEGUN } from '../../utils/exploration';
import { forgetAllRuns, RunStore } from '../../utils/runStore';
import { AskContext } from '../common/askContext';
import { ReportView } from '../explore/ReportView';
import { TurnView } from '../explore/TurnView';
import { ChatMessage } from './ChatMessage';
import { ChatView } from './ChatView';

const messages = [
  message({ id: 'q1', role: 'user', content: 'First?' }),
  message({ id: 'a1', parentId: 'q1', content: 'One.', metadata: { stepResults: [SQL_STEP] } as never }),
  message({ id: 'q2', parentId: 'a1', role: 'user', content: 'Second?' }),
  message({ id: 'a2', parentId: 'q2', content: '', status: 'generating' }),
];
const server = setupServer(
  http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages, messageCount: 4 }) })),
  http.post('*/messages/a2/stream', () => new Promise<Response>(() => undefined)),
  http.get('*', () => HttpResponse.json({ data: { items: [], totalPages: 1, providers: [] } })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => {
  forgetAllRuns();
  server.close();
});

let reads = 0;
const watched = new WeakMap<DataChatMessage, DataChatMessage>();

/** The same message, which counts how often its text is read: at least once for each time it is rendered. */
function counted(message: DataChatMessage): DataChatMessage {
  const known = watched.get(message);
  if (known) return known;
  const { content } = message;
  const made = Object.defineProperty({ ...message }, 'content', { get: () => { reads += 1; return content; } });
  watched.set(message, made);
  return made;
}

let live: ReturnType<typeof useDataChat>;

function View() {
  live = useDataChat(CHAT_ID);
  const path = useMemo(() => live.path.map((one) => (one.message.id === 'a1' ? { ...one, message: counted(one.message) } : one)), [live.path]);
  return <ChatView state={{ ...live, path }} header={null} onProvider={() => undefined} />;
}

it('renders no earlier message again for the events and the text of an answer in progress', async () => {
  show(<View />);
  await screen.findByText('One.');
  await screen.findByLabelText('Generating the answer');
  const take = (event: DataAgentStreamEvent) => act(() => live.handleEvent(event));
  take({ type: 'phase_start', phase: 'executor', description: 'Runs the queries' });
  expect(reads).toBeGreaterThan(0);
  const before = reads;
  for (let i = 0; i < 20; i++) {
    take({ type: 'step_start', stepId: i, description: `Step ${i}`, strategy: 'sql' } as DataAgentStreamEvent);
    for (let k = 0; k < 5; k++) take({ type: 'message_chunk', chunk: `word ${i}.${k} ` } as DataAgentStreamEvent);
  }
  expect(screen.getByText(/word 19\.4/)).toBeInTheDocument();
  expect(reads).toBe(before);
});

/** A list item asks this each time it is rendered. */
function counter() {
  let asked = 0;
  const questions = { has: () => { asked += 1; return false; } } as unknown as ReadonlySet<string>;
  return { askable: { questions, ask: () => undefined }, count: () => asked };
}

it('renders only the last block of a text in progress again', () => {
  const { askable, count } = counter();
  const store = new RunStore();
  show(<AskContext value={askable}><ChatMessage message={messages[3]!} store={store} latest /></AskContext>);
  const write = (chunk: string) => act(() => {
    store.add({ type: 'message_chunk', chunk } as DataAgentStreamEvent, 0);
    store.flush();
  });
  write('- A list\n\nThen text: ');
  const before = count();
  expect(before).toBeGreaterThan(0);
  for (let i = 0; i < 50; i++) write(`word ${i} `);
  expect(screen.getByText(/word 49/)).toBeInTheDocument();
  expect(count()).toBe(before);
});

const reveal = (text: string) => text;
const nothing = () => undefined;
const shownQueries = new Map();
const columns: never[] = [];

describe('the explorer', () => {
  const turn: Turn = { id: 't', question: 'Why?', share: 'aggregates', progress: { ...BEGUN, state: 'done' }, connection: 'open', report: null };

  it('renders only the last block of a report in progress again', () => {
    const { askable, count } = counter();
    const report = (text: string, state: 'writing' | 'done') => (
      <AskContext value={askable}>
        <ReportView turn={turn} report={{ state, text, error: null }} charts={[]} shown={shownQueries} reveal={reveal} onType={nothing} fileName="a.csv" />
      </AskContext>
    );
    let text = '- A list\n\nThen text: ';
    const { rerender } = render(report(text, 'writing'), { wrapper: Surroundings });
    const before = count();
    for (let i = 0; i < 50; i++) rerender(report((text += `word ${i} `), 'writing'));
    expect(count()).toBe(before);
    rerender(report(text, 'done'));
    expect(screen.getByText(/word 49/)).toBeInTheDocument();
    expect(screen.getByText('A list')).toBeInTheDocument();
  });

  it('renders a turn only when it changes', () => {
    let asked = 0;
    const watchedTurn = Object.defineProperty({ ...turn }, 'question', { get: () => { asked += 1; return 'Why?'; } });
    const view = (one: Turn) => (
      <TurnView turn={one} shown={shownQueries} columns={columns} reveal={reveal} busy={false} last fileName="a.csv" onStop={nothing} onAgain={nothing} onReport={nothing} onFollowUp={nothing} onStartOver={nothing} />
    );
    const { rerender } = render(view(watchedTurn), { wrapper: Surroundings });
    const before = asked;
    expect(before).toBeGreaterThan(0);
    rerender(view(watchedTurn));
    expect(asked).toBe(before);
  });
});
