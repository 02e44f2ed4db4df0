import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { Ontology } from '../api/types';

const NONE: Ontology[] = [];

/** What may be asked about. */
export function useOntologies() {
  const list = useQuery({
    queryKey: keys.ontologies,
    queryFn: () => unwrap(http.GET('/api/ontologies', { params: { query: { pageSize: 100 } } })),
    select: (page) => page.items,
    staleTime: 30_000,
  });
  const all = list.data ?? NONE;
  return {
    ontologies: all,
    ready: all.filter((ontology) => ontology.status === 'ready'),
    isLoading: list.isLoading,
    error: list.error,
  };
}
