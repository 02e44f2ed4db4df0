import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { addQuery, changeQuery, clearHistory, listFunctions, listHistory, listQueries, removeFromHistory, removeQuery } from '../api/sql';

/** The saved queries over an ontology, and what can be done with them. */
export function useSqlQueries(ontologyId: string) {
  const cache = useQueryClient();
  const list = useQuery({
    queryKey: keys.sqlQueries(ontologyId),
    queryFn: () => listQueries(ontologyId),
    enabled: ontologyId !== '',
  });
  const onSettled = () => cache.invalidateQueries({ queryKey: keys.sqlQueries(ontologyId) });
  const add = useMutation({ mutationFn: addQuery, onSettled });
  const change = useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Parameters<typeof changeQuery>[1]) => changeQuery(id, body), onSettled,
  });
  const remove = useMutation({ mutationFn: removeQuery, onSettled });
  return { queries: list.data, error: list.error, refetch: list.refetch, add, change, remove };
}

/** The user's latest queries over an ontology. */
export function useSqlHistory(ontologyId: string) {
  const cache = useQueryClient();
  const list = useQuery({
    queryKey: keys.sqlHistory(ontologyId),
    queryFn: () => listHistory(ontologyId),
    enabled: ontologyId !== '',
  });
  const onSettled = () => cache.invalidateQueries({ queryKey: keys.sqlHistory(ontologyId) });
  const clear = useMutation({ mutationFn: () => clearHistory(ontologyId), onSettled });
  const remove = useMutation({ mutationFn: removeFromHistory, onSettled });
  return { history: list.data, error: list.error, refetch: list.refetch, clear, remove };
}

/** The functions that the guard allows. */
export function useSqlFunctions(): string[] | undefined {
  return useQuery({ queryKey: keys.sqlFunctions, queryFn: listFunctions, staleTime: Infinity }).data;
}
