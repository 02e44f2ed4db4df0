import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { Connection, ConnectionChange, ConnectionTest, NewConnection } from '../api/types';

const NONE: Connection[] = [];

export const connectionList = {
  queryKey: keys.connections,
  queryFn: () => everything((query) => unwrap(http.GET('/api/connections', { params: { query } }))),
};

/** Those over uploaded files belong to their dataset: they are not tested, built or removed here. */
function isDatabase({ dbType }: Connection): boolean {
  return (dbType as string) !== 'duckdb';
}

/** The list of connections to databases. */
export function useConnections() {
  const cache = useQueryClient();
  const list = useQuery(connectionList);
  const changed = () => cache.invalidateQueries({ queryKey: keys.connections });
  const create = async (body: NewConnection): Promise<Connection> => {
    const made = await unwrap(http.POST('/api/connections', { body }));
    await changed();
    return made;
  };
  /** Tests without saving. */
  const attempt = (body: NewConnection): Promise<ConnectionTest> =>
    unwrap(http.POST('/api/connections/test', { body }));
  const test = (id: string): Promise<ConnectionTest> =>
    unwrap(http.POST('/api/connections/{id}/test', { params: { path: { id } } })).finally(changed);
  const change = async (id: string, body: ConnectionChange): Promise<Connection> => {
    const connection = await unwrap(http.PATCH('/api/connections/{id}', { params: { path: { id } }, body }));
    await changed();
    return connection;
  };
  const remove = async (id: string): Promise<void> => {
    await done(http.DELETE('/api/connections/{id}', { params: { path: { id } } }));
    await changed();
  };
  const connections = useMemo(() => list.data?.filter(isDatabase) ?? NONE, [list.data]);
  return { connections, isLoading: list.isLoading, error: list.error, refetch: list.refetch, create, attempt, test, change, remove };
}

/** The rights of its role, from a new test. */
export function useConnectionTest(id: string) {
  return useQuery({
    queryKey: keys.connectionTest(id),
    queryFn: () => unwrap(http.POST('/api/connections/{id}/test', { params: { path: { id } } })),
    staleTime: 60_000,
  });
}
