import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { UserSettings } from '../api/types';

export const userSettingsQuery = queryOptions({
  queryKey: keys.userSettings,
  queryFn: () => unwrap(http.GET('/api/user-settings')),
  staleTime: 60_000,
});

export function useUserSettings() {
  const cache = useQueryClient();
  const query = useQuery(userSettingsQuery);
  /** Shown at once, and reverted if the server refuses. */
  const save = async (
    body: Partial<Pick<UserSettings, 'theme' | 'defaultProvider'>>,
  ): Promise<void> => {
    const before = cache.getQueryData<UserSettings>(keys.userSettings);
    if (before) cache.setQueryData(keys.userSettings, { ...before, ...body });
    try {
      const now = await unwrap(http.PATCH('/api/user-settings', { body }));
      cache.setQueryData(keys.userSettings, now);
    } catch (error) {
      cache.setQueryData(keys.userSettings, before);
      throw error;
    }
  };
  return { settings: query.data ?? null, isLoading: query.isLoading, error: query.error, save };
}
