import { useQuery, useQueryClient } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { chatQuery } from '../api/chatQuery';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { tellTabs } from '../api/tabs';
import type { Chat, DataAgentStreamEvent, DataChatMessage, MessagePair, ProviderId } from '../api/types';
import { branchOf, placeOf, visiblePath, type Shown } from '../utils/branches';
import { metadataAtEnd } from '../utils/runState';
import { followRun, forgetRun, RunStore } from '../utils/runStore';
import { liveStudy, type Study } from '../utils/study';
import type { LoopRound } from '../utils/toolLoop';

const PAGE_SIZE = 100;

function useStore<T>(store: RunStore, part: (view: ReturnType<RunStore['view']>) => T): T {
  return useSyncExternalStore(store.subscribe, () => part(store.view()));
}

/** The text in progress; a separate hook, so that only the component that shows it renders for each piece. */
export function useRunText(store: RunStore): string {
  return useStore(store, (view) => view.content);
}

/** The rounds before the text in progress, for an agent that works in a loop. */
export function useRunRounds(store: RunStore): LoopRound[] {
  return useStore(store, (view) => view.rounds);
}

/** Whether the server refused to start the answer. */
export function useRunRefused(store: RunStore): boolean {
  return useStore(store, (view) => Boolean(view.refusal));
}

const NONE: DataAgentStreamEvent[] = [];

/** What happened so far, without the pieces of text. */
export function useRunEvents(store: RunStore): DataAgentStreamEvent[] {
  return useStore(store, (view) => (view.events.length > 0 ? view.events : NONE));
}

/** What the scientist did so far; null for other agents. */
export function useRunStudy(store: RunStore): Study | null {
  const events = useRunEvents(store);
  return useMemo(() => liveStudy(events), [events]);
}

function merge(earlier: DataChatMessage[], newest: DataChatMessage[]): DataChatMessage[] {
  const known = new Set(newest.map((m) => m.id));
  return [...earlier.filter((m) => !known.has(m.id)), ...newest];
}

function useMessages(chatId: string | undefined, chat: Chat | undefined) {
  const [earlier, setEarlier] = useState<DataChatMessage[]>([]);
  const [nextPage, setNextPage] = useState(2);
  const underWay = useRef(false);
  useEffect(() => {
    setEarlier([]);
    setNextPage(2);
  }, [chatId]);
  const all = useMemo(() => merge(earlier, chat?.messages ?? []), [earlier, chat?.messages]);

  const total = chat?.messageCount ?? 0;
  const fetchEarlier = useCallback(async (before?: () => void): Promise<void> => {
    if (!chatId || underWay.current) return;
    underWay.current = true;
    const query = { page: nextPage, pageSize: PAGE_SIZE, order: 'desc' as const };
    const params = { path: { chatId }, query };
    try {
      const page = await unwrap(
        http.GET('/api/data-agent/chats/{chatId}/messages', { params }),
      );
      before?.();
      startTransition(() => {
        setEarlier((known) => merge(page.items.toReversed(), known));
        setNextPage((n) => n + 1);
      });
    } finally {
      underWay.current = false;
    }
  }, [chatId, nextPage]);
  return { all, fetchEarlier, hasEarlier: total > all.length && (nextPage - 1) * PAGE_SIZE < total };
}

/**
 * The answer in progress, followed by this tab. When it has ended, it stays until the next one is
 * requested. The state of an earlier answer never appears in the place of the next.
 */
function useLiveRun(chatId: string | undefined, path: Shown[], asking: boolean): RunStore {
  const cache = useQueryClient();
  const [idle] = useState(() => new RunStore());
  const [run, setRun] = useState<{ of: string | null; store: RunStore }>({ of: null, store: idle });
  const last = path.at(-1)?.message;
  const liveId = last?.role === 'assistant' && last.status === 'generating' ? last.id : null;

  useEffect(() => setRun({ of: null, store: idle }), [chatId, idle]);
  useEffect(() => {
    if (!chatId || !liveId) return;
    const store = followRun(chatId, liveId, () => {
      const { status, content, refusal } = store.view();
      const metadata = metadataAtEnd(store.view());
      forgetRun(liveId);
      if (refusal || status === 'generating') return;
      cache.setQueryData<Chat>(keys.chat(chatId), (chat) =>
        chat && {
          ...chat,
          messages: chat.messages?.map((m) =>
            m.id === liveId ? { ...m, status, content, metadata: metadata ?? m.metadata } : m),
        });
      tellTabs({ kind: 'chat', chatId });
      void cache.invalidateQueries({ queryKey: keys.chat(chatId) });
      void cache.invalidateQueries({ queryKey: keys.allChats });
    });
    setRun({ of: liveId, store });
  }, [cache, chatId, liveId]);
  return asking || (liveId && run.of !== liveId) ? idle : run.store;
}

/** One chat: its messages on the chosen branch, the answer in progress, and the actions. */
export function useDataChat(chatId?: string) {
  const cache = useQueryClient();
  const query = useQuery({ ...chatQuery(chatId ?? ''), enabled: Boolean(chatId) });
  const { all, fetchEarlier, hasEarlier } = useMessages(chatId, query.data);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [pending, setPending] = useState<string | null>(null);
  const path = useMemo(() => visiblePath(all, chosen), [all, chosen]);
  const store = useLiveRun(chatId, path, pending !== null);

  const last = path.at(-1)?.message;
  const refusal = useStore(store, (view) => view.refusal);
  const isStreaming =
    pending !== null || (last?.status === 'generating' && last.role === 'assistant' && !refusal);

  const before = useRef(chatId);
  useEffect(() => {
    if (before.current === chatId) return; // the chat may come with a first question
    before.current = chatId;
    setPending(null);
    setChosen(new Map());
  }, [chatId]);

  const take = useCallback(
    async (pair: MessagePair): Promise<void> => {
      // A list that was fetched before the server had the question would remove it again.
      await cache.cancelQueries({ queryKey: keys.chat(pair.userMessage.chatId), exact: true });
      cache.setQueryData<Chat>(keys.chat(pair.userMessage.chatId), (chat) =>
        chat && {
          ...chat,
          messageCount: chat.messageCount + 2,
          messages: merge(chat.messages ?? [], [pair.userMessage, pair.assistantMessage]),
        });
      setChosen(new Map()); // the latest branch
      tellTabs({ kind: 'chat', chatId: pair.userMessage.chatId });
      void cache.invalidateQueries({ queryKey: keys.allChats });
    },
    [cache],
  );

  const cancel = useCallback(async (messageId: string): Promise<void> => {
    await unwrap(http.POST('/api/data-agent/messages/{messageId}/cancel', { params: { path: { messageId } } }));
  }, []);

  // The server accepts no question while an answer waits to be started. An answer whose start it
  // refused is replaced by the next question.
  const refused = refusal && last?.status === 'generating' ? last.id : null;
  const giveWay = useCallback(async (): Promise<void> => {
    if (refused) await cancel(refused);
  }, [cancel, refused]);

  const stopWanted = useRef(false);
  /** Shows the question before the server has it. */
  const sendMessage = useCallback(
    async (content: string, parentId?: string | null): Promise<void> => {
      if (!chatId) return;
      setPending(content);
      stopWanted.current = false;
      try {
        await giveWay();
        const params = { path: { chatId }, header: { 'Idempotency-Key': crypto.randomUUID() } };
        const body = parentId === undefined ? { content } : { content, parentId };
        const pair = await unwrap(
          http.POST('/api/data-agent/chats/{chatId}/messages', { params, body }),
        );
        await take(pair);
        if (stopWanted.current) await cancel(pair.assistantMessage.id);
      } finally {
        setPending(null);
      }
    },
    [cancel, chatId, giveWay, take],
  );

  const regenerate = useCallback(
    async (messageId: string, llmProvider?: ProviderId): Promise<void> => {
      const params = { path: { messageId } };
      const body = llmProvider ? { llmProvider } : {};
      await giveWay();
      await take(
        await unwrap(
          http.POST('/api/data-agent/messages/{messageId}/regenerate', { params, body }),
        ),
      );
    },
    [giveWay, take],
  );

  /** If the server does not have the question yet, the cancel is sent as soon as it has. */
  const stop = useCallback(async (): Promise<void> => {
    if (pending !== null) stopWanted.current = true;
    else if (last) await cancel(last.id);
  }, [cancel, last, pending]);

  const known = useRef(all);
  known.current = all;
  const choose = useCallback((message: DataChatMessage, id: string) => {
    const place = placeOf(message, known.current);
    setChosen((before) => new Map(before).set(place, id));
  }, []);
  const reveal = useCallback((id: string) => setChosen(branchOf(id, known.current)), []);

  const handleEvent = useCallback(
    (event: DataAgentStreamEvent) => {
      store.add(event, 0);
      store.flush();
    },
    [store],
  );

  return {
    chat: query.data ?? null,
    isLoading: query.isLoading,
    error: query.error,
    refetch: query.refetch,
    messages: all,
    path,
    pending,
    hasEarlier,
    fetchEarlier,
    isStreaming,
    store,
    refusal,
    streamEvents: useStore(store, (view) => view.events),
    rounds: useRunRounds(store),
    phaseProgress: useStore(store, (view) => view.phaseProgress),
    connection: useStore(store, (view) => view.connection),
    waiting: useStore(store, (view) => view.waiting),
    suggestions: useStore(store, (view) => view.suggestions),
    autoSaved: useStore(store, (view) => view.autoSaved),
    handleEvent,
    sendMessage,
    regenerate,
    stop,
    choose,
    reveal,
  };
}
