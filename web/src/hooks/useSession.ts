import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { onSessionChange, refresh } from '../api/session';
import type { Me } from '../api/types';

export type SignedIn = 'asking' | 'yes' | 'no' | 'unreachable';

/** Whether there is a session: the refresh cookie of an earlier visit is tried first. */
export function useSignedIn(): { state: SignedIn; retry: () => void } {
  const [state, setState] = useState<SignedIn>('asking');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => onSessionChange((signedIn) => setState(signedIn ? 'yes' : 'no')), []);
  useEffect(() => {
    let gone = false;
    setState('asking');
    refresh().then(
      (signedIn) => gone || setState(signedIn ? 'yes' : 'no'),
      () => gone || setState('unreachable'),
    );
    return () => {
      gone = true;
    };
  }, [attempt]);
  return { state, retry: () => setAttempt((n) => n + 1) };
}

export function useMeQuery() {
  return useQuery({
    queryKey: keys.me,
    queryFn: () => unwrap(http.GET('/api/auth/me')),
    staleTime: 60_000,
  });
}

export const MeContext = createContext<Me | null>(null);

export function useMe(): Me | null {
  return useContext(MeContext);
}

export function useMay(permission: string): boolean {
  return useMe()?.permissions.includes(permission) ?? false;
}
