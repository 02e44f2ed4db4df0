import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useSearchParams } from 'react-router';
import { metadataOf, type DataAgentStreamEvent, type DataChatMessage } from '../../api/types';
import { useTraceCards } from '../../hooks/useTraceCards';
import { failedPhase } from '../insights/insightsUtils';
import { phaseName } from '../../utils/phases';
import { callsOfModels } from '../../utils/traces';
import { ErrorCard } from '../common/ErrorCard';

/** What a reader can do about it, by the code of the error. */
const REMEDIES: Record<string, string> = {
  MODEL_UNAVAILABLE: 'Try again, or choose another model below.',
  DATABASE_UNAVAILABLE: 'Check the connection on the Data page, then try again.',
  NO_DATASETS: 'The ontology has no datasets. Choose another one, or build its model.',
  TIMEOUT: 'Ask for less at once: a shorter period, or fewer groups.',
  BUDGET: 'The model used all of its calls. Ask a simpler question, or ask in two steps.',
  UNAVAILABLE: 'The server is busy or restarting. Try again in a moment.',
};

const NO_EVENTS: DataAgentStreamEvent[] = [];
const LONGEST = 1000;

interface FailedAnswerProps {
  message: DataChatMessage;
  onRegenerate?: (message: DataChatMessage) => void;
}

/** Why an answer failed: the reason in the words of what refused, the phase, its id, and the way to its traces. */
export function FailedAnswer({ message, onRegenerate }: FailedAnswerProps) {
  const [, setParams] = useSearchParams();
  const { cards } = useTraceCards(message.chatId, message.id, NO_EVENTS, false);
  const call = callsOfModels(cards).findLast(({ failed }) => failed)?.trace;
  const metadata = metadataOf(message);
  const error = metadata?.error;
  if (error?.code === 'CANCELLED')
    return <Typography variant="body2" color="textSecondary">Stopped.</Typography>;
  const phase = metadata && failedPhase(metadata);
  const show = () => setParams((before) => {
    const after = new URLSearchParams(before);
    after.set('panel', 'insights');
    if (call) after.set('trace', call.id);
    return after;
  }, { replace: true });
  const remedy = error && REMEDIES[error.code];
  return (
    <ErrorCard
      title={phase ? `This answer failed in the phase ${phaseName(phase)}` : 'This answer failed'}
      error={new Error(error?.message ?? 'The reason is not known')}
      code={error?.code}
      reference={`run ${message.id}`}
      onRetry={onRegenerate && (() => onRegenerate(message))}
    >
      {call?.error && call.error !== error?.message && (
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>{call.provider} said: {call.error.slice(0, LONGEST)}</Typography>
      )}
      {remedy && <Typography variant="body2">{remedy}</Typography>}
      <Button size="small" color="inherit" onClick={show} sx={{ ml: -0.5 }}>{call ? 'Open the trace' : 'Show what happened'}</Button>
    </ErrorCard>
  );
}
