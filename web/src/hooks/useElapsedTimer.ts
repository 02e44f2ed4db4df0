import { useEffect, useState } from 'react';
import { formatDuration } from '../components/insights/insightsUtils';

/** The time since `startedAt` (milliseconds since 1970) as m:ss, updated each second while active. */
export function useElapsedTimer(startedAt: number | null, isActive: boolean): string {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isActive) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isActive]);
  return formatDuration(startedAt === null ? 0 : now - startedAt);
}
