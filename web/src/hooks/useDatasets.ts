import { useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteDataset, getDataset, getDatasets, getTables, restoreDataset } from '../api/datasets';
import { keys } from '../api/keys';
import type { Dataset } from '../api/types';

const WORKING_MS = 1500;
const NONE: Dataset[] = [];

const works = ({ status }: Dataset) => status === 'preparing';

/** A change of datasets changes what belongs to them: connections, models, ontologies and chats. */
export function useDatasetsChanged() {
  const cache = useQueryClient();
  return () => {
    const changed = [keys.datasets, keys.ontologies, keys.models, keys.connections, keys.allChats];
    return Promise.all(changed.map((queryKey) => cache.invalidateQueries({ queryKey })));
  };
}

/** The list of uploaded datasets. It is asked for again while one of them is being prepared. */
export function useDatasets() {
  const cache = useQueryClient();
  const changed = useDatasetsChanged();
  const all = useQuery({
    queryKey: keys.datasets,
    queryFn: getDatasets,
    refetchInterval: ({ state }) => state.data?.some(works) && WORKING_MS,
  });
  const remove = async ({ id }: Dataset) => {
    cache.setQueryData<Dataset[]>(keys.datasets, (known) => known?.filter((one) => one.id !== id));
    await deleteDataset(id).finally(changed);
  };
  const restore = ({ id }: Dataset) => restoreDataset(id).finally(changed);
  return { datasets: all.data ?? NONE, isLoading: all.isLoading, error: all.error, refetch: all.refetch, remove, restore };
}

/** One dataset, until it is ready or has failed. */
export function useDatasetWatch(id: string | null) {
  return useQuery({
    queryKey: keys.dataset(id ?? ''),
    queryFn: () => getDataset(id!),
    enabled: id !== null,
    refetchInterval: ({ state }) => (!state.data || works(state.data)) && WORKING_MS,
  });
}

/** The profile of its tables. */
export function useDatasetTables(id: string) {
  return useQuery({ queryKey: keys.datasetTables(id), queryFn: () => getTables(id), staleTime: 600_000 });
}
