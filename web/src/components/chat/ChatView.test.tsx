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
  message({ id: 'a3', parentId: 'q2', content: 'Two again.' }),
];
const sent: unknown[] = [];
const server = setupServer(
  http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages, messageCount: 5 }) })),
  http.post(`*/api/data-agent/chats/${CHAT_ID}/messages`, async ({ request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ statusCode: 503, code: 'OVERLOADED', message: 'Later', requestId: 'r' }, { status: 503 });
  }),
  http.post('*/messages/a2/regenerate', () => HttpResponse.json({
    data: { userMessage: messages[2], assistantMessage: message({ id: 'a4', parentId: 'q2', content: 'Two once more.' }) },
  }, { status: 201 })),
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
  /** Renders the first answer to the second question, with the focus in the input. */
  const open = async () => {
    sent.length = 0;
    show(<View />);
    await screen.findByText('Two again.');
    await userEvent.click(screen.getByRole('button', { name: 'Earlier version' }));
    await screen.findByText('Two.');
    await userEvent.click(await input());
  };

  it('edits the last question on the key "up" where nothing is typed', async () => {
    await open();
    await userEvent.keyboard('{ArrowUp}');
    expect(editor()).toHaveFocus();
    expect(editor()).toHaveValue('Second?');
    await userEvent.clear(editor()!);
    await userEvent.type(editor()!, 'Third?{Enter}');
    await waitFor(() => expect(sent).toEqual([{ content: 'Third?', parentId: 'a1' }]));
    expect(editor()).toBeNull();
  });

  it('leaves the key "up" alone where something is typed', async () => {
    await open();
    await userEvent.keyboard('half a th{ArrowUp}');
    expect(editor()).toBeNull();
    expect(await input()).toHaveFocus();
  });

  it('has the keyboard where it was after an edit that is given up', async () => {
    await open();
    await userEvent.keyboard('{ArrowUp}{Escape}');
    expect(editor()).toBeNull();
    expect(await input()).toHaveFocus();
    await userEvent.click(screen.getAllByRole('button', { name: 'Edit the question' })[0]!);
    expect(editor()).toHaveValue('First?');
    await userEvent.keyboard('{Escape}');
    expect(screen.getAllByRole('button', { name: 'Edit the question' })[0]).toHaveFocus();
  });

  it('leaves the keyboard at the versions, or in the conversation, when a message gives way', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Later version' }));
    expect(await screen.findByText('Two again.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Earlier version' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Earlier version' }));
    expect(await screen.findByText('Two.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Later version' })).toHaveFocus();
    await userEvent.click(screen.getAllByRole('button', { name: 'Answer again' }).at(-1)!);
    await userEvent.click(screen.getByRole('menuitem', { name: 'Answer again' }));
    expect(await screen.findByText('Two once more.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('region', { name: 'Conversation' })).toHaveFocus());
  });

  it('asks again for an answer whose start was refused', async () => {
    const answer = message({ id: 'a', parentId: 'q1', content: '', status: 'generating' });
    const done: string[] = [];
    server.use(
      http.get(`*/api/data-agent/chats/${CHAT_ID}`, () => HttpResponse.json({ data: chat({ messages: [messages[0]!, answer], messageCount: 2 }) })),
      http.post('*/messages/a/stream', () =>
        HttpResponse.json({ statusCode: 429, code: 'RATE_LIMITED', message: 'Another answer of yours is still being written.' }, { status: 429 })),
      http.post('*/messages/a/cancel', () => {
        done.push('cancel');
        return HttpResponse.json({ data: { ...answer, status: 'failed' } });
      }),
      http.post('*/messages/a/regenerate', () => {
        done.push('regenerate');
        return HttpResponse.json({
          data: { userMessage: messages[0], assistantMessage: message({ id: 'b', parentId: 'q1', content: 'At last.' }) },
        }, { status: 201 });
      }),
    );
    show(<View />);
    expect(await screen.findByText('The answer could not be started')).toBeVisible();
    expect(screen.getByText('Another answer of yours is still being written.')).toBeVisible();
    expect(screen.queryByLabelText('Generating the answer')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('At last.')).toBeVisible();
    expect(done).toEqual(['cancel', 'regenerate']);
    expect(screen.queryByText('The answer could not be started')).toBeNull();
    server.resetHandlers();
  });

  it('keeps a handed question that was refused, to be tried again', async () => {
    sent.length = 0;
    show(<View />, { pathname: '/agent', state: { ask: 'From the welcome?' } });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    expect(screen.getByText('From the welcome?').closest('[data-role=user]')).toBeInTheDocument();
    expect(screen.getByText('The question was not sent')).toBeInTheDocument();
    await userEvent.click(retry);
    await waitFor(() => expect(sent).toEqual([{ content: 'From the welcome?' }, { content: 'From the welcome?' }]));
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(screen.queryByText('From the welcome?')).toBeNull();
  });
});
