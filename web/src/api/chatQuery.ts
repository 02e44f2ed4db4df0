import { queryOptions } from '@tanstack/react-query';
import { http, unwrap } from './client';
import { keys } from './keys';

/** A chat that was fetched for the first render is not fetched again by it, however long that takes. */
const FIRST_FRESH_MS = 10_000;
const FRESH_MS = 1000;

/** A chat with its newest messages. */
export function chatQuery(chatId: string) {
  return queryOptions({
    queryKey: keys.chat(chatId),
    queryFn: () => unwrap(http.GET('/api/data-agent/chats/{chatId}', { params: { path: { chatId } } })),
    staleTime: ({ state }) => (state.dataUpdateCount > 1 ? FRESH_MS : FIRST_FRESH_MS),
  });
}
