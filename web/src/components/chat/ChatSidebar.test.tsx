import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { chat } from '../../test/samples';
import { show } from '../../test/render';
import { ChatSidebar, type ChatSidebarProps } from './ChatSidebar';

const OLD = new Date(Date.now() - 3 * 86_400_000).toISOString();
const chats = [
  chat({ id: 'a', name: 'Revenue' }),
  chat({ id: 'b', name: 'Why is Houston underperforming this year?', updatedAt: OLD }),
];

function sidebar(part: Partial<ChatSidebarProps> = {}) {
  const props = {
    chats, currentChatId: 'a', search: '', onSearch: vi.fn(), onNewChat: vi.fn(),
    onSelectChat: vi.fn(), onRenameChat: vi.fn(), onDeleteChat: vi.fn(), ...part,
  };
  show(<ChatSidebar {...props} />);
  return props;
}

/** As on the server, renaming a chat moves it to the top. */
function List() {
  const [now, setNow] = useState(chats);
  const rename = (id: string, name: string) => {
    const one = now.find((c) => c.id === id)!;
    setNow([chat({ ...one, name, updatedAt: new Date().toISOString() }), ...now.filter((c) => c !== one)]);
  };
  return (
    <ChatSidebar chats={now} currentChatId={null} search="" onSearch={vi.fn()} onNewChat={vi.fn()} onSelectChat={vi.fn()}
      onRenameChat={rename} onDeleteChat={(gone) => setNow(now.filter((c) => c !== gone))} />
  );
}

const act = async (chat: string, what: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${chat}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: what }));
  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
};

describe('ChatSidebar', () => {
  it('Is one stop of Tab a chat, and arrows lead to the others', async () => {
    sidebar({ onPinChat: vi.fn(), onArchiveChat: vi.fn() });
    screen.getByRole('link', { name: 'Revenue' }).focus();
    await userEvent.tab();
    expect(screen.getByRole('link', { name: /^Why/ })).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}{ArrowRight}');
    expect(screen.getByRole('button', { name: 'Actions for Revenue' })).toHaveFocus();
  });

  it('Pins and archives', async () => {
    const { onPinChat, onArchiveChat } = sidebar({ onPinChat: vi.fn(), onArchiveChat: vi.fn() });
    await act('Revenue', 'Pin');
    expect(onPinChat).toHaveBeenCalledWith(chats[0]);
    await act('Revenue', 'Archive');
    expect(onArchiveChat).toHaveBeenCalledWith(chats[0]);
  });

  it('Lists pinned chats first, and says what a search found', () => {
    sidebar({ search: 'dall', chats: [chats[0]!, chat({ id: 'c', name: 'Cities', pinned: true, match: { messageId: 'm', text: 'Dallas leads' } })] });
    const [first, second] = screen.getAllByRole('link');
    expect(first).toHaveTextContent('CitiesDallas leads');
    expect(first).toHaveAttribute('href', '/agent/c#m-m');
    expect(within(first!).getByText('Dall')).toBeInTheDocument();
    expect(second).toHaveTextContent('Revenue');
  });

  it('Renders New Chat button', async () => {
    const { onNewChat } = sidebar();
    await userEvent.click(screen.getByRole('button', { name: 'New Chat' }));
    expect(onNewChat).toHaveBeenCalledOnce();
  });

  it('Renders search input', async () => {
    const { onSearch } = sidebar();
    await userEvent.type(screen.getByLabelText('Search chats'), 'x');
    expect(onSearch).toHaveBeenCalledWith('x');
  });

  it('Renders chat list grouped by date', () => {
    sidebar();
    expect(screen.getByText('Today')).toBeInTheDocument();
    expect(screen.getByText('Last 7 Days')).toBeInTheDocument();
    expect(screen.getByText('Why is Houston underperforming this year?')).toBeInTheDocument();
  });

  it('Highlights active chat', () => {
    sidebar();
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Revenue');
  });

  it('Calls onSelectChat on click', async () => {
    const { onSelectChat } = sidebar();
    await userEvent.click(screen.getByText('Revenue'));
    expect(onSelectChat).toHaveBeenCalledWith('a');
  });

  it('Shows rename/delete actions on hover', async () => {
    const { onRenameChat, onDeleteChat } = sidebar();
    await act('Revenue', 'Delete');
    expect(onDeleteChat).toHaveBeenCalledWith(chats[0]);
    await act('Revenue', 'Rename');
    const field = screen.getByLabelText('Name of the chat');
    await userEvent.clear(field);
    await userEvent.type(field, 'Sales{Enter}');
    expect(onRenameChat).toHaveBeenCalledWith('a', 'Sales');
  });

  it('Shows empty state when no chats', () => {
    sidebar({ chats: [] });
    expect(within(screen.getByRole('navigation')).getByText('No chats yet')).toBeInTheDocument();
  });

  it('Gives the keyboard back to the chat that was renamed, wherever it is now', async () => {
    show(<List />);
    screen.getByRole('link', { name: /^Why/ }).focus();
    await userEvent.keyboard('{F2}');
    await userEvent.type(screen.getByLabelText('Name of the chat'), '{Escape}');
    expect(screen.getByRole('link', { name: /^Why/ })).toHaveFocus();
    await userEvent.keyboard('{F2}');
    await userEvent.clear(screen.getByLabelText('Name of the chat'));
    await userEvent.type(screen.getByLabelText('Name of the chat'), 'Houston{Enter}');
    expect(screen.queryByText('Last 7 Days')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Houston' })).toHaveFocus();
  });

  it('Gives the keyboard to the neighbour of a chat that was deleted', async () => {
    show(<List />);
    screen.getByRole('link', { name: 'Revenue' }).focus();
    await userEvent.keyboard('{Delete}');
    expect(screen.getByRole('link', { name: /^Why/ })).toHaveFocus();
    await userEvent.keyboard('{Delete}');
    expect(screen.getByRole('button', { name: 'New Chat' })).toHaveFocus();
  });
});
