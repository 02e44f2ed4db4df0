import type { Chat } from '../api/types';

export interface ChatGroup {
  name: string;
  chats: Chat[];
}

const DAY_MS = 86_400_000;

/** Pinned chats first; the others in groups by their last change: Today, Yesterday, Last 7 Days, Last 30 Days, Older; without empty groups. */
export function groupChatsByDate(chats: Chat[], now = new Date()): ChatGroup[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const limits: [string, number][] = [
    ['Today', today],
    ['Yesterday', today - DAY_MS],
    ['Last 7 Days', today - 7 * DAY_MS],
    ['Last 30 Days', today - 30 * DAY_MS],
    ['Older', -Infinity],
  ];
  const groups = ['Pinned', ...limits.map(([name]) => name)].map((name) => ({ name, chats: [] as Chat[] }));
  for (const chat of chats) {
    const at = new Date(chat.updatedAt).getTime();
    groups[chat.pinned ? 0 : 1 + limits.findIndex(([, from]) => at >= from)]?.chats.push(chat);
  }
  return groups.filter((group) => group.chats.length > 0);
}
