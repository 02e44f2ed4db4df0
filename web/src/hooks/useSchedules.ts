import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { NewSchedule, Schedule, ScheduleChange } from '../api/types';

const NONE: Schedule[] = [];
const PATH = '/api/data-agent/schedules';
const LOOK_MS = 15_000;

/** All schedules of the user; read again from time to time, because the server runs them. */
export function useSchedules() {
  const list = useQuery({
    queryKey: keys.schedules,
    queryFn: () => everything((query) => unwrap(http.GET(PATH, { params: { query } }))),
    refetchInterval: LOOK_MS,
  });
  return { schedules: list.data ?? NONE, isLoading: list.isLoading, error: list.error, refetch: list.refetch };
}

export function useScheduleActs() {
  const cache = useQueryClient();
  const changed = () => cache.invalidateQueries({ queryKey: keys.schedules });
  const add = async (body: NewSchedule): Promise<Schedule> => {
    const made = await unwrap(http.POST(PATH, { body }));
    await changed();
    return made;
  };
  const change = async (id: string, body: ScheduleChange): Promise<Schedule> => {
    const made = await unwrap(http.PATCH(`${PATH}/{id}`, { params: { path: { id } }, body }));
    await changed();
    return made;
  };
  const remove = async (id: string): Promise<void> => {
    await done(http.DELETE(`${PATH}/{id}`, { params: { path: { id } } }));
    await changed();
  };
  return { add, change, remove };
}

/** The next times of a cron line; the error says what is wrong with it. */
export function useTimes(cron: string, timeZone: string) {
  return useQuery({
    queryKey: keys.scheduleTimes(cron, timeZone),
    queryFn: () => unwrap(http.POST(`${PATH}/times`, { body: { cron, timeZone } })),
    enabled: cron.trim() !== '' && timeZone.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The latest runs of a schedule and its latest webhooks. */
export function useScheduleLog(id: string) {
  const params = { path: { id }, query: { pageSize: 10 } };
  const runs = useQuery({
    queryKey: keys.scheduleRuns(id), refetchInterval: LOOK_MS,
    queryFn: () => unwrap(http.GET(`${PATH}/{id}/runs`, { params })),
  });
  const deliveries = useQuery({
    queryKey: keys.scheduleDeliveries(id), refetchInterval: LOOK_MS,
    queryFn: () => unwrap(http.GET(`${PATH}/{id}/deliveries`, { params })),
  });
  return { runs: runs.data?.items, deliveries: deliveries.data?.items, error: runs.error ?? deliveries.error };
}
