import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { errorOf } from '../api/errors';
import { keys } from '../api/keys';
import { authorizedFetch } from '../api/session';
import { rowsOfFile, type ResultFile, type Rows } from '../utils/rows';

/** The rows that the page loads; exported files have up to a hundred thousand. */
export const ROWS_MOST = 10_000;

async function load(messageId: string, stepId: number, signal: AbortSignal): Promise<Rows> {
  // One row more than is shown, to find out whether there are more.
  const query = `format=json&rows=${ROWS_MOST + 1}`;
  const response = await authorizedFetch(`/api/data-agent/messages/${messageId}/steps/${stepId}/export?${query}`, { signal });
  if (!response.ok) throw await errorOf(response);
  const served = Number(response.headers.get('X-Max-Rows') ?? Infinity);
  return rowsOfFile((await response.json()) as ResultFile, ROWS_MOST, served);
}

/** All rows of a step, fetched on demand: the server runs the query again. */
export function useAllRows(messageId: string | undefined, stepId: number, first: Rows | null) {
  const [wanted, setWanted] = useState(false);
  const more = Boolean(messageId && first && (first.truncated || first.total > first.rows.length));
  const query = useQuery({
    queryKey: keys.allRows(messageId ?? '', stepId),
    queryFn: ({ signal }) => load(messageId!, stepId, signal),
    enabled: more && wanted,
    staleTime: Infinity,
    retry: false,
  });
  const fetchAll = useCallback(() => setWanted(true), []);
  return {
    rows: query.data ?? first,
    hasMore: more && !query.data,
    isLoading: query.isFetching,
    error: query.error,
    fetchAll: query.error ? () => void query.refetch() : fetchAll,
    readAt: query.data ? query.dataUpdatedAt : null,
  };
}
