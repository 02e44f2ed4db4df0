import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { isSignedIn, onSessionChange, resume } from '../api/session';
import type { Me } from '../api/types';

export type SignedIn = 'asking' | 'yes' | 'no' | 'unreachable';

/** The delays between retries when the server cannot be reached; the last one repeats. */
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000];

/** Calls `act` with growing delays while `wanted`, and at once when the network is back. */
function useInsistence(wanted: boolean, act: () => void) {
  const insist = useRef(act);
  insist.current = act;
  useEffect(() => {
    if (!wanted) return undefined;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(again, WAITS_MS[Math.min(++tries, WAITS_MS.length - 1)]);
      insist.current();
    };
    timer = setTimeout(again, WAITS_MS[0]);
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [wanted]);
}

/**
 * Whether there is a session. It first tries the refresh cookie of an earlier visit. If the server
 * cannot be reached, it retries until it can.
 */
export function useSignedIn(): { state: SignedIn; retry: () => void } {
  const [state, setState] = useState<SignedIn>(() => {
    const known = isSignedIn();
    return known === null ? 'asking' : known ? 'yes' : 'no';
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => onSessionChange((signedIn) => setState(signedIn ? 'yes' : 'no')), []);
  useEffect(() => {
    let gone = false;
    resume().then(
      (signedIn) => gone || setState(signedIn ? 'yes' : 'no'),
      () => gone || setState('unreachable'),
    );
    return () => {
      gone = true;
    };
  }, [attempt]);
  const again = () => setAttempt((n) => n + 1);
  const retry = () => {
    setState('asking');
    again();
  };
  useInsistence(state === 'unreachable', again);
  return { state, retry };
}

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: () => unwrap(http.GET('/api/auth/me')),
  staleTime: 60_000,
});

export function useMeQuery() {
  return useQuery(meQuery);
}

export const MeContext = createContext<Me | null>(null);

export function useMe(): Me | null {
  return useContext(MeContext);
}

export function useMay(permission: string): boolean {
  return useMe()?.permissions.includes(permission) ?? false;
}
