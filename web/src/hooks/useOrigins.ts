import { useQuery } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { Ontology } from '../api/types';
import { connectionList } from './useConnections';
import { useMay } from './useSession';

const FRESH_MS = 60_000;

/** The connection and semantic model of an ontology; '' if the user may not see them. */
export function useOrigins(wanted: boolean): (ontology: Ontology) => string {
  const models = useQuery({
    queryKey: keys.models,
    queryFn: () => everything((query) => unwrap(http.GET('/api/semantic-models', { params: { query } }))),
    enabled: useMay('semantic_models:read') && wanted,
    staleTime: FRESH_MS,
  });
  const connections = useQuery({
    ...connectionList, enabled: useMay('connections:read') && wanted, staleTime: FRESH_MS,
  });
  return (ontology) => {
    const model = models.data?.find(({ id }) => id === ontology.semanticModelId);
    const connection = connections.data?.find(({ id }) => id === model?.connectionId);
    return [connection?.name, model?.name].filter(Boolean).join(' › ');
  };
}
