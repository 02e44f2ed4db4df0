interface Page<T> {
  items: T[];
  totalPages: number;
}

const PAGE_SIZE = 100;

/** Fetches every page of a list, one after the other. */
export async function everything<T>(get: (query: { page: number; pageSize: number }) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const next = await get({ page, pageSize: PAGE_SIZE });
    found.push(...next.items);
    last = next.totalPages;
  }
  return found;
}
