import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { Chat } from '../api/types';
import { unitsOf, type Units } from '../utils/units';

/** Ontologies with more datasets are not loaded: their fields take too long. */
export const DATASETS_MOST = 200;

/** The query of an ontology with its fields and metrics, which all parts of the page share. */
export const graphQuery = (id: string) => ({
  queryKey: keys.graph(id, true),
  queryFn: () => unwrap(http.GET('/api/ontologies/{id}/graph', { params: { path: { id } } })),
  staleTime: 600_000,
  retry: false,
});

/** The ontology of a chat with its fields and metrics; undefined until it is loaded, if it is not too large. */
export function useModelGraph(chat: Chat | null, wanted: boolean) {
  const ontologyId = chat?.ontologyId ?? '';
  const graph = useQuery({
    ...graphQuery(ontologyId),
    enabled: wanted && ontologyId !== '' && (chat?.ontology?.datasetCount ?? Infinity) <= DATASETS_MOST,
  });
  return graph.data;
}

/** The same by the id of the ontology, whatever its size. */
export function useGraphOf(ontologyId: string) {
  return useQuery(graphQuery(ontologyId)).data;
}

/** Money and percentages of the chat's semantic model; none until they are loaded. */
export function useModelUnits(chat: Chat | null): Units {
  const graph = useModelGraph(chat, Boolean(chat?.messageCount));
  return useMemo(() => unitsOf(graph), [graph]);
}
