import { screen, within } from '@testing-library/react';
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

describe('ChatSidebar', () => {
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
    expect(screen.getByText('Why is Houston underperforming…')).toBeInTheDocument();
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
    await userEvent.click(screen.getByRole('button', { name: 'Delete Revenue' }));
    expect(onDeleteChat).toHaveBeenCalledWith(chats[0]);
    await userEvent.click(screen.getByRole('button', { name: 'Rename Revenue' }));
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
    await userEvent.click(screen.getByRole('button', { name: /^Rename Why/ }));
    await userEvent.type(screen.getByLabelText('Name of the chat'), '{Escape}');
    expect(screen.getByRole('link', { name: /^Why/ })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: /^Rename Why/ }));
    await userEvent.clear(screen.getByLabelText('Name of the chat'));
    await userEvent.type(screen.getByLabelText('Name of the chat'), 'Houston{Enter}');
    expect(screen.queryByText('Last 7 Days')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Houston' })).toHaveFocus();
  });

  it('Gives the keyboard to the neighbour of a chat that was deleted', async () => {
    show(<List />);
    await userEvent.click(screen.getByRole('button', { name: 'Delete Revenue' }));
    expect(screen.getByRole('link', { name: /^Why/ })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: /^Delete Why/ }));
    expect(screen.getByRole('button', { name: 'New Chat' })).toHaveFocus();
  });
});
