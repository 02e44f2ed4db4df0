import Alert from '@mui/material/Alert';
import { useEffect, useState } from 'react';
import type { Connection } from '../../api/sse';

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return online;
}

interface ConnectionBannerProps {
  connection?: Connection | 'closed';
  streaming?: boolean;
  waiting?: string | null;
}

const WAITS: Record<string, string> = {
  queued: 'Other answers are in progress. Yours starts when there is a free slot.',
  model_rate_limited: 'The language model limits how often it can be asked. Trying again soon.',
  model_unavailable: 'The language model is not available at the moment. Trying again.',
  model_reply_incomplete: 'The reply of the language model was incomplete. Asking again.',
  model_busy: 'The language model is busy. Trying again soon.',
  model_waiting: 'Waiting for the language model to become available again.',
  database: 'Waiting for the database.',
};

/** That the line is lost, or that the run waits; it goes on by itself. */
export function ConnectionBanner({ connection = 'closed', streaming = false, waiting = null }: ConnectionBannerProps) {
  const online = useOnline();
  if (!online) return <Alert severity="warning">You are offline.{streaming && ' The answer goes on at the server.'}</Alert>;
  if (streaming && connection === 'reconnecting')
    return <Alert severity="warning">The connection was lost. Reconnecting…</Alert>;
  if (streaming && waiting) return <Alert severity="info">{WAITS[waiting] ?? 'The answer is delayed. It continues by itself.'}</Alert>;
  return null;
}
