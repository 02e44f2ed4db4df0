import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { Preference } from '../api/types';

export const CAPTURE_KEY = 'auto_capture_mode';
export type CaptureMode = 'off' | 'auto' | 'ask';

const NONE: Preference[] = [];

/** The global preferences (`ontologyId` null) or those for one ontology. */
export function useDataAgentPreferences(ontologyId: string | null, enabled = true) {
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: keys.preferences(ontologyId),
    queryFn: () => {
      const scope = ontologyId ? ('ontology' as const) : ('global' as const);
      const wanted = ontologyId ? { scope, ontologyId } : { scope };
      return unwrap(http.GET('/api/data-agent/preferences', { params: { query: wanted } }));
    },
    enabled,
  });
  const changed = () => cache.invalidateQueries({ queryKey: keys.allPreferences });

  const save = async (
    key: string,
    value: string,
    source: Preference['source'] = 'manual',
  ): Promise<void> => {
    const body = { key, value, ontologyId, source };
    await unwrap(http.POST('/api/data-agent/preferences', { body }));
    await changed();
  };
  const change = async (id: string, value: string): Promise<void> => {
    const params = { path: { id } };
    await unwrap(http.PATCH('/api/data-agent/preferences/{id}', { params, body: { value } }));
    await changed();
  };
  const remove = async (id: string): Promise<void> => {
    await done(http.DELETE('/api/data-agent/preferences/{id}', { params: { path: { id } } }));
    await changed();
  };
  const all = query.data ?? NONE;
  return {
    preferences: all.filter((p) => p.key !== CAPTURE_KEY),
    captureMode: (all.find((p) => p.key === CAPTURE_KEY)?.value ?? 'auto') as CaptureMode,
    isLoading: query.isLoading,
    error: query.error,
    refetch: query.refetch,
    save,
    change,
    remove,
  };
}
