import { useNavigate } from 'react-router';
import type { Chat } from '../api/types';
import type { useDataAgent } from './useDataAgent';
import { useUndo } from './useUndo';

/** Deletes a chat, and offers Undo for some seconds (also Ctrl+Z). */
export function useDeleteWithUndo(agent: ReturnType<typeof useDataAgent>, current: string | undefined) {
  const navigate = useNavigate();
  const { offer, complain } = useUndo();
  const restore = (chat: Chat) => agent.restoreChat(chat.id).then(() => navigate(`/agent/${chat.id}`));
  return (chat: Chat) => {
    if (chat.id === current) void navigate('/agent');
    agent.deleteChat(chat.id).then(() => offer(chat.name, () => restore(chat)), complain);
  };
}
