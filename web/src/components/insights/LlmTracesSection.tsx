import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import type { DataAgentStreamEvent, Phase } from '../../api/types';
import { phaseName } from '../../utils/phases';
import { useTraceCards } from '../../hooks/useTraceCards';
import { cutSections, type TraceCard } from '../../utils/traces';
import { ErrorCard } from '../common/ErrorCard';
import { InsightsSection } from './InsightsSection';
import { formatTokenCount } from './insightsUtils';

const LlmTraceDialog = lazy(() => import('./LlmTraceDialog'));

interface LlmTracesSectionProps {
  chatId: string;
  messageId: string;
  streamEvents: DataAgentStreamEvent[];
  isStreaming: boolean;
}

const COLOURS: Partial<Record<Phase, string>> = {
  planner: '#3b82f6', navigator: '#a855f7', sql_builder: '#f59e0b',
  executor: '#10b981', verifier: '#ef4444', explainer: '#14b8a6', react: '#6366f1',
  plan: '#3b82f6', code: '#f59e0b', evaluate: '#a855f7', explain: '#14b8a6', error: '#ef4444',
};

function Card({ card, onOpen }: { card: TraceCard; onOpen?: () => void }) {
  const numbers = card.running
    ? 'In progress...'
    : `${formatTokenCount(card.tokens ?? 0)} tokens · ${((card.durationMs ?? 0) / 1000).toFixed(1)} s`;
  return (
    <ButtonBase disabled={!onOpen} onClick={onOpen}
      sx={{ display: 'block', width: '100%', textAlign: 'left', p: 1, mb: 0.5, borderRadius: 1,
        border: 1, borderColor: 'divider', borderLeft: `4px solid ${COLOURS[card.phase] ?? '#6366f1'}` }}>
      <Typography variant="body2" noWrap>{phaseName(card.phase)}: {card.purpose}</Typography>
      <Typography variant="caption" color={card.failed ? 'error' : 'textSecondary'} component="p">
        {card.provider}/{card.model} · {card.failed ? 'failed · ' : ''}{numbers}
        {card.trace && cutSections(card.trace).length > 0 && ' · prompt cut'}
      </Typography>
    </ButtonBase>
  );
}

/** The model calls of an answer; each one opens to show its prompt and reply. */
export function LlmTracesSection({ chatId, messageId, streamEvents, isStreaming }: LlmTracesSectionProps) {
  const { cards, error, refetch } = useTraceCards(chatId, messageId, streamEvents, isStreaming);
  const [params, setParams] = useSearchParams();
  const wanted = params.get('trace');
  const shown = cards.find((card) => card.trace && card.trace.id === wanted)?.trace ?? null;
  const open = (id: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (id) after.set('trace', id);
        else after.delete('trace');
        return after;
      },
      { replace: true },
    );
  if (error) return <ErrorCard title="No traces" error={error} onRetry={() => void refetch()} />;
  if (cards.length === 0) return null; // no model was called
  return (
    <InsightsSection title="LLM Traces">
      {cards.map((card) => (
        <Card key={card.key} card={card} onOpen={card.trace ? () => open(card.trace!.id) : undefined} />
      ))}
      <Suspense fallback={null}>
        {shown && <LlmTraceDialog trace={shown} open onClose={() => open(null)} />}
      </Suspense>
    </InsightsSection>
  );
}
