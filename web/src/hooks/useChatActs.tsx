import { useNavigate } from 'react-router';
import type { Chat } from '../api/types';
import type { useDataAgent } from './useDataAgent';
import { useUndo } from './useUndo';

/** What the list does with a chat: deleting and archiving offer Undo for some seconds (also Ctrl+Z). Refusals are shown. */
export function useChatActs(agent: ReturnType<typeof useDataAgent>, current: string | undefined) {
  const navigate = useNavigate();
  const { offer, complain } = useUndo();
  const restore = (chat: Chat) => agent.restoreChat(chat.id).then(() => navigate(`/agent/${chat.id}`));
  const remove = (chat: Chat) => {
    if (chat.id === current) void navigate('/agent');
    agent.deleteChat(chat.id).then(() => offer(chat.name, () => restore(chat)), complain);
  };
  const archive = (chat: Chat) => {
    const put = (archived: boolean) => agent.updateChat(chat.id, { archived });
    const back = () => put(false).then(() => (chat.pinned ? agent.updateChat(chat.id, { pinned: true }) : undefined));
    put(!chat.archived).then(() => { if (!chat.archived) offer(chat.name, back, 'archived'); }, complain);
  };
  const rename = (id: string, name: string) => void agent.updateChat(id, { name }).catch(complain);
  const pin = (chat: Chat) => void agent.updateChat(chat.id, { pinned: !chat.pinned }).catch(complain);
  return { remove, archive, rename, pin };
}
