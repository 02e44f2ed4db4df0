import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';

const FRESH_MS = 60_000;

/** The position within the catalog of a connection. */
export interface Place {
  id: string;
  db: string;
}

const tablesOf = (place: Place, schema: string) => ({
  queryKey: keys.catalog(place.id, place.db, schema),
  staleTime: FRESH_MS,
  queryFn: () =>
    everything((query) =>
      unwrap(http.GET('/api/connections/{id}/databases/{db}/schemas/{schema}/tables', {
        params: { path: { ...place, schema }, query },
      }))),
});

export function useDatabases(id: string) {
  return useQuery({
    queryKey: keys.catalog(id),
    staleTime: FRESH_MS,
    queryFn: () =>
      everything((query) => unwrap(http.GET('/api/connections/{id}/databases', { params: { path: { id }, query } }))),
  });
}

export function useSchemas(place: Place) {
  return useQuery({
    queryKey: keys.catalog(place.id, place.db),
    staleTime: FRESH_MS,
    queryFn: () =>
      everything((query) =>
        unwrap(http.GET('/api/connections/{id}/databases/{db}/schemas', { params: { path: { ...place }, query } }))),
  });
}

export function useTables(place: Place, schema: string) {
  return useQuery(tablesOf(place, schema));
}

/** All names, for callers that do not show them page by page. */
export function useTableNames(place: Place): (schema: string) => Promise<string[]> {
  const cache = useQueryClient();
  return async (schema) => (await cache.fetchQuery(tablesOf(place, schema))).map((table) => table.name);
}

export function useColumns(place: Place, schema: string, table: string) {
  return useQuery({
    queryKey: keys.catalog(place.id, place.db, schema, table),
    staleTime: FRESH_MS,
    queryFn: () =>
      everything((query) =>
        unwrap(http.GET('/api/connections/{id}/databases/{db}/schemas/{schema}/tables/{table}/columns', {
          params: { path: { ...place, schema, table }, query },
        }))),
  });
}
