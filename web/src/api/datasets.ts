/** Datasets: files that were uploaded together. These paths have names in snake_case and no envelope. */
import { bare, done, http } from './client';
import { everything } from './pages';
import type { Dataset, DatasetTable } from './types';

/** Without it, a server would answer a path like a page's with the page. */
const headers = { Accept: 'application/json' };

const at = (id: string) => ({ params: { path: { id } }, headers });

export function getDatasets(): Promise<Dataset[]> {
  return everything(async (query) => {
    const { datasets, total } = await bare(http.GET('/datasets', { params: { query }, headers }));
    return { items: datasets, totalPages: Math.ceil(total / query.pageSize) };
  });
}

export function getDataset(id: string): Promise<Dataset> {
  return bare(http.GET('/datasets/{id}', at(id)));
}

/** A table for each file; an Excel file has one for each sheet. */
export async function getTables(id: string): Promise<DatasetTable[]> {
  return (await bare(http.GET('/datasets/{id}/schema', at(id)))).files;
}

export function deleteDataset(id: string): Promise<void> {
  return done(http.DELETE('/datasets/{id}', at(id)));
}

export function restoreDataset(id: string): Promise<void> {
  return done(http.POST('/datasets/{id}/restore', at(id)));
}
