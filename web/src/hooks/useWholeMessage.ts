import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { isDeferred, type DataChatMessage } from '../api/types';

/** The message with its metadata, which a list leaves out if they are large; fetched when `wanted`. */
export function useWholeMessage(message: DataChatMessage, wanted: boolean) {
  const deferred = isDeferred(message);
  const query = useQuery({
    queryKey: keys.message(message.id),
    queryFn: () => unwrap(http.GET('/api/data-agent/messages/{messageId}', { params: { path: { messageId: message.id } } })),
    enabled: wanted && deferred,
    staleTime: Infinity,
  });
  const whole = deferred && query.data ? { ...message, metadata: query.data.metadata, charts: message.charts ?? query.data.charts } : message;
  return { message: whole, isLoading: deferred && !query.data, error: query.error, refetch: query.refetch };
}
