import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { Chat, NewTrustedAnswer, TrustedAnswer } from '../api/types';
import { useOntologies } from './useOntologies';
import { useMay, useMe } from './useSession';

const NONE: TrustedAnswer[] = [];

/** Adds and removes trusted answers. */
export function useTrust() {
  const cache = useQueryClient();
  const changed = () => cache.invalidateQueries({ queryKey: keys.allTrusted });
  const add = async (body: NewTrustedAnswer): Promise<TrustedAnswer> => {
    const made = await unwrap(http.POST('/api/data-agent/trusted-answers', { body }));
    await changed();
    return made;
  };
  const remove = async (id: string): Promise<void> => {
    await done(http.DELETE('/api/data-agent/trusted-answers/{id}', { params: { path: { id } } }));
    await changed();
  };
  return { add, remove };
}

/** All trusted answers that the user may see. */
export function useTrustedAnswers() {
  const list = useQuery({
    queryKey: keys.trusted(''),
    queryFn: () => everything((query) => unwrap(http.GET('/api/data-agent/trusted-answers', { params: { query } }))),
  });
  return { answers: list.data ?? NONE, isLoading: list.isLoading, error: list.error, refetch: list.refetch };
}

/** The trusted answer that a message was marked as; null: none. Undefined until it is loaded. */
export function useMarked(messageId: string, enabled: boolean): TrustedAnswer | null | undefined {
  const found = useQuery({
    queryKey: keys.trusted(messageId),
    queryFn: () => unwrap(http.GET('/api/data-agent/trusted-answers', { params: { query: { messageId } } })),
    enabled,
  });
  return found.data ? (found.data.items[0] ?? null) : undefined;
}

/** Says of an ontology whether the user may change its trusted answers. */
export function useMayTrust(): (ontologyId: string | undefined) => boolean {
  const me = useMe();
  const mayWrite = useMay('data_agent:write');
  const admin = useMay('system_settings:read');
  const { ontologies } = useOntologies();
  return (id) => mayWrite && id !== undefined
    && (admin || ontologies.some((o) => o.id === id && o.ownerId === me?.id));
}

/** The ontology of a chat whose messages are shown; undefined: it is not in the cache. */
export function useOntologyOf(chatId: string): string | undefined {
  return useQueryClient().getQueryData<Chat>(keys.chat(chatId))?.ontologyId;
}
