/** Messages between tabs of one browser about changes. */
export type TabNews = { kind: 'chat'; chatId: string } | { kind: 'chats' } | { kind: 'signed-out' };

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('sextant') : null;

export function tellTabs(news: TabNews): void {
  channel?.postMessage(news);
}

export function onTabNews(listener: (news: TabNews) => void): () => void {
  const heard = (event: MessageEvent<TabNews>) => listener(event.data);
  channel?.addEventListener('message', heard);
  return () => channel?.removeEventListener('message', heard);
}
