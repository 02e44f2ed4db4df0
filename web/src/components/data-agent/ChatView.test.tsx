import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { useDataChat } from '../../hooks/useDataChat';
import { show } from '../../test/render';
import { chat, CHAT_ID, message } from '../../test/samples';
import { ChatView } from './ChatView';

const messages = [
  message({ id: 'q1', role: 'user', content: 'First?' }),
  message({ id: 'a1', parentId: 'q1', content: 'One.' }),
  message({ id: 'q2', parentId: 'a1', role: 'user', content: 'Second?' }),
  message({ id: 'a2', parentId: 'q2', content: 'Two.' }),
];
const sent: unknown[] = [];
const server = setupServer(
  http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages, messageCount: 4 }) })),
  http.post(`*/api/data-agent/chats/${CHAT_ID}/messages`, async ({ request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ statusCode: 503, code: 'OVERLOADED', message: 'Later', requestId: 'r' }, { status: 503 });
  }),
  http.get('*', () => HttpResponse.json({ data: [] })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

function View() {
  return <ChatView state={useDataChat(CHAT_ID)} header={null} onProvider={() => undefined} />;
}

const input = () => screen.findByLabelText('Your question');
const editor = () => screen.queryByLabelText('Edit the question', { selector: 'textarea' });

describe('ChatView', () => {
  beforeEach(async () => {
    sent.length = 0;
    show(<View />);
    await screen.findByText('Two.');
    await userEvent.click(await input());
  });

  it('edits the last question on the key "up" where nothing is typed', async () => {
    await userEvent.keyboard('{ArrowUp}');
    expect(editor()).toHaveFocus();
    expect(editor()).toHaveValue('Second?');
    await userEvent.clear(editor()!);
    await userEvent.type(editor()!, 'Third?{Enter}');
    await waitFor(() => expect(sent).toEqual([{ content: 'Third?', parentId: 'a1' }]));
    expect(editor()).toBeNull();
  });

  it('leaves the key "up" alone where something is typed', async () => {
    await userEvent.keyboard('half a th{ArrowUp}');
    expect(editor()).toBeNull();
    expect(await input()).toHaveFocus();
  });

  it('has the keyboard where it was after an edit that is given up', async () => {
    await userEvent.keyboard('{ArrowUp}{Escape}');
    expect(editor()).toBeNull();
    expect(await input()).toHaveFocus();
    await userEvent.click(screen.getAllByRole('button', { name: 'Edit the question' })[0]!);
    expect(editor()).toHaveValue('First?');
    await userEvent.keyboard('{Escape}');
    expect(screen.getAllByRole('button', { name: 'Edit the question' })[0]).toHaveFocus();
  });
});
