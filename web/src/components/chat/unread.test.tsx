/** Lists that could not be read are not called empty, and a page stays when reading it again fails. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQueryClient } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { keys } from '../../api/keys';
import { App } from '../../App';
import { useDataChat } from '../../hooks/useDataChat';
import { ME, show } from '../../test/render';
import { chat, CHAT_ID, message } from '../../test/samples';
import { PreferenceList } from '../preferences/PreferenceList';
import { ChatSidebar } from './ChatSidebar';
import { ChatView } from './ChatView';
import { NewQuestion } from './NewQuestion';

const down = () => HttpResponse.json({ statusCode: 503, code: 'UNAVAILABLE', message: 'Restarting.' }, { status: 503 });
const server = setupServer(http.all('*', down));

beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const nothing = () => undefined;

describe('a list that could not be read', () => {
  it('of chats', async () => {
    const onRetry = vi.fn();
    show(<ChatSidebar chats={[]} currentChatId={null} search="" onSearch={nothing} onSelectChat={nothing} error={new TypeError()} onRetry={onRetry} />);
    expect(screen.getByText('The chats could not be listed')).toBeVisible();
    expect(screen.queryByText('No chats yet')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalled();
  });

  it('of data, before the first question', async () => {
    show(<NewQuestion version={0} ontologyId="" onOntology={nothing} onAsk={nothing} error={null} />);
    expect(await screen.findByText('The data could not be listed')).toBeVisible();
    expect(screen.queryByText(/ways to begin|There is no data/)).toBeNull();
  });

  it('of preferences', async () => {
    show(<PreferenceList ontologyId={null} />);
    expect(await screen.findByText('The preferences could not be read')).toBeVisible();
    expect(screen.queryByText('No preferences yet.')).toBeNull();
  });
});

function Again({ query }: { query: readonly unknown[] }) {
  const cache = useQueryClient();
  return <button onClick={() => void cache.refetchQueries({ queryKey: query })}>Read again</button>;
}

/** Waits until the request has failed and the page has seen it. */
async function failsAgain() {
  let refused = 0;
  server.use(http.get('*', () => {
    refused += 1;
    return down();
  }));
  await userEvent.click(screen.getByRole('button', { name: 'Read again' }));
  await vi.waitFor(() => expect(refused).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('what is shown stays when reading it again fails', () => {
  it('the page', async () => {
    server.use(
      http.post('*/api/auth/session', () => HttpResponse.json({ data: { signedIn: true, accessToken: 't', expiresIn: 900 } })),
      http.get('*/api/auth/me', () => HttpResponse.json({ data: ME })),
    );
    show(<><App /><Again query={keys.me} /></>, '/nowhere');
    expect(await screen.findByText('There is no page at /nowhere.')).toBeVisible();
    await failsAgain();
    expect(screen.getByText('There is no page at /nowhere.')).toBeVisible();
  });

  it('a chat', async () => {
    const messages = [message({ id: 'q', role: 'user', content: 'Why?' }), message({ id: 'a', parentId: 'q', content: 'Because.' })];
    server.use(http.get(`*/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages, messageCount: 2 }) })));
    function View() {
      return <ChatView state={useDataChat(CHAT_ID)} header={null} onProvider={nothing} />;
    }
    show(<><View /><Again query={keys.chat(CHAT_ID)} /></>);
    await screen.findByText('Because.');
    await failsAgain();
    expect(screen.getByText('Because.')).toBeVisible();
    expect(screen.queryByText('The chat could not be loaded')).toBeNull();
  });
});
