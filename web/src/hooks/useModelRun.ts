import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { authorizedFetch } from '../api/session';
import { follow, type Connection } from '../api/sse';
import type { ModelRun, ModelRunEvent, NewModelRun, Ontology } from '../api/types';

export function startModelRun(body: NewModelRun): Promise<ModelRun> {
  return unwrap(http.POST('/api/semantic-models/runs', { body }));
}

function open(runId: string, lastId: number, signal: AbortSignal): Promise<Response> {
  const accept = { Accept: 'text/event-stream' };
  const headers = lastId ? { ...accept, 'Last-Event-ID': String(lastId) } : accept;
  return authorizedFetch(`/api/semantic-models/runs/${runId}/stream`, { method: 'POST', headers, signal });
}

/** The progress of a build. The build continues if the page is closed. */
export function useModelRun(runId: string) {
  const cache = useQueryClient();
  const params = { path: { id: runId } };
  const key = keys.modelRun(runId);
  const query = useQuery({
    queryKey: key,
    queryFn: () => unwrap(http.GET('/api/semantic-models/runs/{id}', { params })),
  });
  const [connection, setConnection] = useState<Connection>('connecting');
  const [refusal, setRefusal] = useState<unknown>(null);
  const running = query.data?.status === 'running';

  useEffect(() => {
    if (!running) return undefined;
    const abort = new AbortController();
    const onEvent = (event: ModelRunEvent) => {
      if (event.type !== 'run_progress') return;
      const { stage, done, total } = event;
      cache.setQueryData<ModelRun>(keys.modelRun(runId), (run) => run && { ...run, progress: { stage, done, total } });
    };
    void follow<ModelRunEvent>({
      open: (lastId, signal) => open(runId, lastId, signal),
      isLast: (event) => event.type !== 'run_progress',
      signal: abort.signal,
      onEvent,
      onConnection: setConnection,
    })
      .catch(setRefusal)
      .then(() => {
        if (!abort.signal.aborted) void cache.invalidateQueries({ queryKey: keys.modelRun(runId) });
      });
    return () => abort.abort();
  }, [cache, runId, running]);

  const cancel = async (): Promise<void> => {
    cache.setQueryData(key, await unwrap(http.POST('/api/semantic-models/runs/{id}/cancel', { params })));
  };
  return { run: query.data ?? null, error: query.error ?? refusal, refetch: query.refetch, running, connection, cancel };
}

async function ontologyOf(run: ModelRun): Promise<Ontology> {
  const query = { semanticModelId: run.semanticModelId! };
  const { items } = await unwrap(http.GET('/api/ontologies', { params: { query } }));
  if (items[0]) return items[0];
  const body = { name: run.name, semanticModelId: run.semanticModelId! };
  return unwrap(http.POST('/api/ontologies', { body }));
}

/** The ontology of a complete model, created if there is none. Only one tab creates it. */
export function useOntologyOf(run: ModelRun) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: keys.ontologyOf(run.semanticModelId ?? ''),
    enabled: run.semanticModelId !== null,
    staleTime: Infinity,
    queryFn: async () => {
      const make = () => ontologyOf(run);
      const found = navigator.locks ? await navigator.locks.request('sextant-ontology', make) : await make();
      await cache.invalidateQueries({ queryKey: keys.ontologies });
      await cache.invalidateQueries({ queryKey: keys.models });
      return found;
    },
  });
}
