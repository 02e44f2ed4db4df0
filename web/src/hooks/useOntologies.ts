import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { Ontology } from '../api/types';

const NONE: Ontology[] = [];
const NO_EXAMPLES: { prompt: string }[] = [];
const WORKING_MS = 1500;

/** The list of ontologies. */
export function useOntologies() {
  const list = useQuery({
    queryKey: keys.ontologies,
    queryFn: () => everything((query) => unwrap(http.GET('/api/ontologies', { params: { query } }))),
    staleTime: 30_000,
    // Poll while an ontology is being created.
    refetchInterval: ({ state }) =>
      state.data?.some((ontology) => ontology.status === 'creating') && WORKING_MS,
  });
  const all = list.data ?? NONE;
  return {
    ontologies: all,
    ready: all.filter((ontology) => ontology.status === 'ready'),
    isLoading: list.isLoading,
    error: list.error,
    refetch: list.refetch,
  };
}

/** The questions that the ontology suggests, none if they cannot be read; undefined until they are loaded. */
export function useExamples(ontologyId: string | undefined): { prompt: string }[] | undefined {
  const list = useQuery({
    queryKey: keys.suggestions(ontologyId ?? ''),
    queryFn: () => {
      const params = { path: { id: ontologyId! } };
      return unwrap(http.GET('/api/ontologies/{id}/suggestions', { params }));
    },
    enabled: Boolean(ontologyId),
    staleTime: 600_000,
    select: ({ suggestions }) => suggestions.slice(0, 6).map((prompt) => ({ prompt })),
  });
  return list.isError ? NO_EXAMPLES : list.data;
}
