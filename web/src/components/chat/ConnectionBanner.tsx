import Alert from '@mui/material/Alert';
import type { Connection } from '../../api/sse';
import { useOnline } from '../../hooks/useOnline';

interface ConnectionBannerProps {
  connection?: Connection | 'closed';
  streaming?: boolean;
  waiting?: string | null;
}

/** A sentence for each reason that the server sends in `run_status`. */
const WAITS: Record<string, string> = {
  queued: 'Other answers are in progress. Yours starts when there is a free slot.',
  model_rate_limited: 'The language model limits how often it can be asked. Trying again soon.',
  model_unavailable: 'The language model is not available at the moment. Trying again.',
  model_reply_incomplete: 'The reply of the language model was incomplete. Asking again.',
};

/** Says that the browser is offline, that the stream reconnects, or why the run waits. */
export function ConnectionBanner({ connection = 'closed', streaming = false, waiting = null }: ConnectionBannerProps) {
  const online = useOnline();
  if (!online) return <Alert severity="warning">You are offline.{streaming && ' The server continues with the answer.'}</Alert>;
  if (streaming && connection === 'reconnecting')
    return <Alert severity="warning">The connection was lost. Reconnecting…</Alert>;
  if (streaming && waiting) return <Alert severity="info">{WAITS[waiting] ?? 'The answer is delayed. It will continue.'}</Alert>;
  return null;
}
