import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { ModelKnobs, ProviderId } from '../api/types';

/** The settings that a model accepts, or the operator's model; undefined while unknown. */
export function useModelKnobs(provider: ProviderId, name: string): ModelKnobs | undefined {
  const model = useDeferredValue(name);
  const knobs = useQuery({
    queryKey: [...keys.knobs, provider, model],
    queryFn: () => unwrap(http.GET('/api/llm/knobs', { params: { query: { provider, model: model || undefined } } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
  return knobs.data;
}
