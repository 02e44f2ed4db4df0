/** Starts or joins an answer, and follows it to its terminal event. */
import { authorizedFetch } from './session';
import { follow, type Follower } from './sse';
import type { DataAgentStreamEvent } from './types';

export function isLast(event: DataAgentStreamEvent): boolean {
  return event.type === 'message_complete' || event.type === 'message_error';
}

/** Starts the answer, or joins it if it was started already; when it reconnects, it joins. */
function opener(chatId: string, messageId: string): Follower<DataAgentStreamEvent>['open'] {
  const accept = { Accept: 'text/event-stream' };
  let started = false;
  return async (lastId, signal) => {
    if (!started) {
      const path = `/api/data-agent/chats/${chatId}/messages/${messageId}/stream?join=true`;
      const response = await authorizedFetch(path, { method: 'POST', headers: accept, signal });
      started = response.ok;
      return response;
    }
    const headers = lastId ? { ...accept, 'Last-Event-ID': String(lastId) } : accept;
    return authorizedFetch(`/api/data-agent/messages/${messageId}/events`, { headers, signal });
  };
}

export function followAnswer(
  chatId: string,
  messageId: string,
  ears: Omit<Follower<DataAgentStreamEvent>, 'open' | 'isLast'>,
): Promise<void> {
  return follow({ ...ears, open: opener(chatId, messageId), isLast });
}
