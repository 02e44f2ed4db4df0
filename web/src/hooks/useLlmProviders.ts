import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { Provider, ProviderId } from '../api/types';
import { useUserSettings } from './useUserSettings';

const NONE: Provider[] = [];

/** The enabled language models, and the user's default. */
export function useLlmProviders() {
  const list = useQuery({
    queryKey: keys.providers,
    queryFn: () => unwrap(http.GET('/api/llm/providers')),
    select: (data) => data.providers.filter((provider) => provider.enabled),
    staleTime: 60_000,
  });
  const { settings, isLoading } = useUserSettings();
  const providers = list.data ?? NONE;
  const wanted = settings?.defaultProvider ?? null;
  const defaultProvider: ProviderId | null = providers.some((p) => p.id === wanted) ? wanted : null;
  return {
    providers,
    defaultProvider,
    isLoading: list.isLoading || isLoading,
    error: list.error,
  };
}
