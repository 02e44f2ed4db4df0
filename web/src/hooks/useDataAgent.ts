import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { tellTabs } from '../api/tabs';
import type { Chat, NewChatBody, ProviderId } from '../api/types';
import type { Agent } from '../utils/agents';

const PAGE_SIZE = 50;

interface Page {
  items: Chat[];
  page: number;
  totalPages: number;
}

function getPage(list: ChatList, page: number): Promise<Page> {
  const query = {
    page,
    pageSize: PAGE_SIZE,
    sortBy: 'updatedAt' as const,
    sortOrder: 'desc' as const,
    ...list,
  };
  return unwrap(http.GET('/api/data-agent/chats', { params: { query } }));
}

/** Which chats are listed. */
interface ChatList {
  search?: string;
  archived?: boolean;
  pinned?: boolean;
}

export interface NewChat {
  ontologyId: string;
  name?: string;
  llmProvider?: ProviderId | null;
  agent: Agent;
}

function useChatPages(which: ChatList, enabled = true) {
  return useInfiniteQuery({
    queryKey: keys.chats(which),
    queryFn: ({ pageParam }) => getPage(which, pageParam),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page < last.totalPages ? last.page + 1 : undefined),
    placeholderData: (before) => before,
    enabled,
  });
}

const PINNED: ChatList = { pinned: true };

/** The list of chats, pinned ones and then the newest first, and its actions. */
export function useDataAgent(search = '', archived = false) {
  const cache = useQueryClient();
  const list = useChatPages(search ? { search } : archived ? { archived } : {});
  const plain = !search && !archived;
  // A pinned chat may be on a later page of the list.
  const pins = useChatPages(PINNED, plain && list.hasNextPage);
  const chats = useMemo(() => {
    const listed = list.data?.pages.flatMap((p) => p.items) ?? [];
    const known = new Set(listed.map(({ id }) => id));
    const others = plain ? pins.data?.pages.flatMap((p) => p.items) ?? [] : [];
    return [...others.filter(({ id, pinned }) => pinned && !known.has(id)), ...listed];
  }, [list.data, pins.data, plain]);

  const edit = (change: (items: Chat[]) => Chat[]) =>
    cache.setQueriesData<InfiniteData<Page, number>>({ queryKey: keys.allChats }, (data) =>
      data && { ...data, pages: data.pages.map((p) => ({ ...p, items: change(p.items) })) });

  const changed = async () => {
    tellTabs({ kind: 'chats' });
    await cache.invalidateQueries({ queryKey: keys.allChats });
  };

  const createChat = async (body: NewChat): Promise<Chat> => {
    const chat = await unwrap(http.POST('/api/data-agent/chats', { body: body as NewChatBody }));
    cache.setQueryData(keys.chat(chat.id), chat);
    void changed();
    return chat;
  };

  /** Shown at once, and reverted if the server refuses. */
  const updateChat = async (
    id: string,
    body: { name?: string; llmProvider?: ProviderId | null; pinned?: boolean; archived?: boolean },
  ): Promise<void> => {
    edit((items) => items
      .map((chat) => (chat.id === id ? { ...chat, ...body, pinned: !body.archived && (body.pinned ?? chat.pinned) } : chat))
      .filter((chat) => body.archived === undefined || chat.id !== id));
    const whole = cache.getQueryData<Chat>(keys.chat(id));
    if (whole) cache.setQueryData(keys.chat(id), { ...whole, ...body });
    try {
      const params = { path: { chatId: id } };
      await unwrap(http.PATCH('/api/data-agent/chats/{chatId}', { params, body }));
    } finally {
      await Promise.all([changed(), cache.invalidateQueries({ queryKey: keys.chat(id) })]);
    }
  };

  const deleteChat = async (id: string): Promise<void> => {
    edit((items) => items.filter((chat) => chat.id !== id));
    try {
      const params = { path: { chatId: id } };
      await done(http.DELETE('/api/data-agent/chats/{chatId}', { params }));
    } finally {
      await changed();
    }
  };

  const restoreChat = async (id: string): Promise<void> => {
    const params = { path: { chatId: id } };
    await unwrap(http.POST('/api/data-agent/chats/{chatId}/restore', { params }));
    await changed();
  };

  return {
    chats,
    isLoading: list.isLoading,
    error: list.error,
    refetch: list.refetch,
    hasMore: list.hasNextPage,
    fetchMore: list.fetchNextPage,
    createChat,
    updateChat,
    deleteChat,
    restoreChat,
  };
}
