import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { DataAgentStreamEvent } from '../api/types';
import { cardOfTrace, cardsOfEvents } from '../utils/traces';

/** The model calls of an answer: of its events while it is written, then of its traces. */
export function useTraceCards(chatId: string, messageId: string, events: DataAgentStreamEvent[], isStreaming: boolean) {
  const traces = useQuery({
    queryKey: keys.traces(messageId),
    queryFn: () => {
      const params = { path: { chatId, messageId } };
      return unwrap(
        http.GET('/api/data-agent/chats/{chatId}/messages/{messageId}/traces', { params }),
      );
    },
    enabled: !isStreaming && messageId !== '',
    staleTime: Infinity,
  });
  const cards = useMemo(
    () => (isStreaming ? cardsOfEvents(events) : (traces.data ?? []).map(cardOfTrace)),
    [isStreaming, events, traces.data],
  );
  return { cards, error: isStreaming ? null : traces.error, refetch: traces.refetch };
}
