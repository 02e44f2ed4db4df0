import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { explainSql, exportSql, runSql, sqlProblemOf, type ConsoleResult, type SqlPlan } from '../api/sql';
import { keys } from '../api/keys';
import { rowsOfFile, type ResultFile, type Rows } from '../utils/rows';
import { ROWS_MOST } from './useAllRows';

export interface Ran {
  sql: string;
  ontologyId: string;
  /** Distinguishes two runs of one text. */
  run: number;
  result?: ConsoleResult;
  plan?: SqlPlan;
  error?: unknown;
}

/** Runs one query at a time; a new one, and leaving the page, stops the one before. */
export function useSqlConsole(ontologyId: string) {
  const [ran, setRan] = useState<Ran | null>(null);
  const [busy, setBusy] = useState<'run' | 'explain' | null>(null);
  const controller = useRef<AbortController | null>(null);
  const runs = useRef(0);
  const cache = useQueryClient();
  useEffect(() => () => controller.current?.abort(), []);
  useEffect(() => {
    controller.current?.abort();
    setRan(null);
  }, [ontologyId]);
  const start = useCallback(async (kind: 'run' | 'explain', sql: string) => {
    controller.current?.abort();
    const mine = (controller.current = new AbortController());
    const about = { sql, ontologyId, run: ++runs.current };
    const put = (more: Partial<Ran>) => {
      if (controller.current === mine) setRan({ ...about, ...more });
    };
    setBusy(kind);
    try {
      if (kind === 'run') put({ result: await runSql({ ontologyId, sql }, mine.signal) });
      else put({ plan: await explainSql({ ontologyId, sql }, mine.signal) });
    } catch (error) {
      if (!mine.signal.aborted) put({ error });
    } finally {
      if (controller.current === mine) setBusy(null);
      if (kind === 'run') void cache.invalidateQueries({ queryKey: keys.sqlHistory(ontologyId) });
    }
  }, [ontologyId, cache]);
  const stop = useCallback(() => {
    controller.current?.abort();
    setBusy(null);
  }, []);
  return { ran, busy, start, stop, problem: sqlProblemOf(ran?.error) };
}

/** The rows of a query; all of them, up to 10,000, on demand: the server runs it again. */
export function useConsoleRows(ran: Ran & { result: ConsoleResult }, first: Rows) {
  const [wanted, setWanted] = useState(0);
  const asked = wanted === ran.run;
  const more = first.truncated;
  const query = useQuery({
    queryKey: keys.sqlRows(ran.ontologyId, ran.run),
    queryFn: async ({ signal }) => {
      const response = await exportSql({ ontologyId: ran.ontologyId, sql: ran.sql, format: 'json', rows: ROWS_MOST + 1 }, signal);
      const served = Number(response.headers.get('X-Max-Rows') ?? Infinity);
      return rowsOfFile((await response.json()) as ResultFile, ROWS_MOST, served);
    },
    enabled: more && asked,
    staleTime: Infinity,
    retry: false,
  });
  const data = asked ? query.data : undefined;
  const fetchAll = useCallback(() => setWanted(ran.run), [ran.run]);
  return {
    rows: data ?? first,
    hasMore: more && !data,
    isLoading: asked && query.isFetching,
    error: asked ? query.error : null,
    fetchAll: asked && query.error ? () => void query.refetch() : fetchAll,
    readAt: data ? query.dataUpdatedAt : null,
  };
}
