import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import type { components } from '../api/wire';
import type { User } from '../api/types';

export type NewUser = components['schemas']['NewUser'];
type UserChange = components['schemas']['UserChange'];

/** In order of permissions, fewest first. */
export const ROLES = ['viewer', 'contributor', 'admin'] as const;

const NONE: User[] = [];

export function useUsers(search: string, page: number) {
  const cache = useQueryClient();
  const list = useQuery({
    queryKey: keys.users(search, page),
    queryFn: () => {
      const query = { page, pageSize: 50, ...(search ? { search } : {}) };
      return unwrap(http.GET('/api/users', { params: { query } }));
    },
    placeholderData: (before) => before,
  });
  const changed = () => cache.invalidateQueries({ queryKey: keys.allUsers });
  const create = async (body: NewUser): Promise<void> => {
    await unwrap(http.POST('/api/users', { body }));
    await changed();
  };
  const change = (id: string, body: UserChange): Promise<unknown> =>
    unwrap(http.PATCH('/api/users/{id}', { params: { path: { id } }, body })).finally(changed);
  const setRole = (id: string, role: string): Promise<unknown> =>
    unwrap(http.PUT('/api/users/{id}/roles', { params: { path: { id } }, body: { roles: [role] } })).finally(changed);
  return {
    items: list.data?.items ?? NONE,
    totalPages: list.data?.totalPages ?? 0,
    error: list.error,
    refetch: list.refetch,
    create,
    change,
    setRole,
  };
}
