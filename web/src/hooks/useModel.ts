import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { http, unwrap } from '../api/client';
import { ApiError } from '../api/errors';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { ModelDetails, ModelEdit, ModelEdits, ModelSaved } from '../api/types';

/** The semantic model in parts, with what it hides. */
export function useModelParts(modelId: string | undefined) {
  return useQuery({
    queryKey: keys.modelParts(modelId ?? ''),
    queryFn: () => unwrap(http.GET('/api/semantic-models/{id}/parts', { params: { path: { id: modelId! } } })),
    enabled: Boolean(modelId),
    staleTime: 30_000,
  });
}

type ModelChange = Omit<ModelEdits, 'version'>;

/** Changes the model from the version that is shown. Another newer one is a refusal, and is then shown. */
export function useModelChange(modelId: string) {
  const cache = useQueryClient();
  const version = () => cache.getQueryData<ModelDetails>(keys.modelParts(modelId))?.version ?? 0;
  const change = async (what: ModelChange): Promise<ModelSaved> => {
    const body = { version: version(), ...what };
    try {
      const saved = await unwrap(http.POST('/api/semantic-models/{id}/edits', { params: { path: { id: modelId } }, body }));
      if (what.dryRun) return saved;
      cache.setQueryData<ModelDetails>(keys.modelParts(modelId), { version: saved.version, parts: saved.parts, editable: saved.editable });
      for (const queryKey of [keys.modelVersions(modelId), keys.modelText(modelId), ['graph'], ['suggestions'], keys.ontologies, keys.allTrusted])
        void cache.invalidateQueries({ queryKey });
      return saved;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409)
        await cache.invalidateQueries({ queryKey: keys.modelParts(modelId) });
      throw error;
    }
  };
  return { version, change, edit: (...edits: ModelEdit[]) => change({ edits }) };
}

export type ModelEditor = ReturnType<typeof useModelChange>;

export function useModelVersions(modelId: string) {
  return useQuery({
    queryKey: keys.modelVersions(modelId),
    queryFn: () => everything((query) =>
      unwrap(http.GET('/api/semantic-models/{id}/versions', { params: { path: { id: modelId }, query } }))),
  });
}

export function useModelVersion(modelId: string, version: number | null) {
  return useQuery({
    queryKey: keys.modelVersion(modelId, version ?? 0),
    queryFn: () => unwrap(http.GET('/api/semantic-models/{id}/versions/{version}', {
      params: { path: { id: modelId, version: version! } },
    })),
    enabled: version !== null,
    staleTime: Infinity,
  });
}

const PAUSE_MS = 600;

/** A value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

const CHECK = { staleTime: 60_000, retry: false } as const;

/** The value of a metric with that expression, from the data. */
export function useMetricPreview(modelId: string, expression: string) {
  const settled = useSettled(expression.trim());
  const found = useQuery({
    ...CHECK,
    queryKey: keys.modelCheck(modelId, settled),
    queryFn: () => unwrap(http.POST('/api/semantic-models/{id}/preview', {
      params: { path: { id: modelId } }, body: { expression: settled },
    })),
    enabled: settled !== '',
  });
  return { ...found, waiting: expression.trim() !== settled || found.isFetching };
}

export interface Ends {
  from: string;
  to: string;
  fromColumns: string[];
  toColumns: string[];
}

/** How the rows of a relationship match; null: its ends are not chosen yet. */
export function useEvidence(modelId: string, ends: Ends | null) {
  const text = JSON.stringify(ends);
  const settled = useSettled(text);
  const found = useQuery({
    ...CHECK,
    queryKey: keys.modelCheck(modelId, settled),
    queryFn: () => unwrap(http.POST('/api/semantic-models/{id}/evidence', {
      params: { path: { id: modelId } }, body: JSON.parse(settled) as Ends,
    })),
    enabled: settled !== 'null',
  });
  return { ...found, waiting: text !== settled || found.isFetching };
}
