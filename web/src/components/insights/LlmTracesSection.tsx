import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { lazy, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { DataAgentStreamEvent, Phase } from '../../api/types';
import { phaseName } from '../../utils/phases';
import { useTraceCards } from '../../hooks/useTraceCards';
import { callsOfModels, cutSections, searchCards, spanOf, type TraceCard } from '../../utils/traces';
import { ErrorCard } from '../common/ErrorCard';
import { LazyPart } from '../common/LazyPart';
import { InsightsSection } from './InsightsSection';
import { formatTokenCount } from './insightsUtils';

const LlmTraceDialog = lazy(() => import('./LlmTraceDialog'));

interface LlmTracesSectionProps {
  chatId: string;
  messageId: string;
  streamEvents: DataAgentStreamEvent[];
  isStreaming: boolean;
}

/** Fewer calls need no search. */
const SEARCHED_FROM = 3;

const COLOURS: Partial<Record<Phase, string>> = {
  planner: '#3b82f6', navigator: '#a855f7', sql_builder: '#f59e0b',
  executor: '#10b981', verifier: '#ef4444', explainer: '#14b8a6', react: '#6366f1',
  plan: '#3b82f6', code: '#f59e0b', evaluate: '#a855f7', explain: '#14b8a6', error: '#ef4444',
};

/** When the call was made, among all calls of the answer. */
function Span({ card, all }: { card: TraceCard; all: TraceCard[] }) {
  const span = spanOf(card, all);
  if (!span) return null;
  return (
    <Box aria-hidden sx={{ height: 4, mt: 0.5, borderRadius: 1, bgcolor: 'action.hover' }}>
      <Box sx={{ height: '100%', borderRadius: 1, bgcolor: COLOURS[card.phase] ?? '#6366f1', ml: `${Math.min(span.from, 0.99) * 100}%`, width: `${Math.max(span.share, 0.01) * 100}%`, maxWidth: `${(1 - Math.min(span.from, 0.99)) * 100}%` }} />
    </Box>
  );
}

function Card({ card, all, onOpen }: { card: TraceCard; all: TraceCard[]; onOpen?: () => void }) {
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
      <Span card={card} all={all} />
    </ButtonBase>
  );
}

/** The model calls of an answer; each one opens to show its prompt and reply. */
export function LlmTracesSection({ chatId, messageId, streamEvents, isStreaming }: LlmTracesSectionProps) {
  const { cards: all, error, refetch } = useTraceCards(chatId, messageId, streamEvents, isStreaming);
  const cards = useMemo(() => callsOfModels(all), [all]);
  const [search, setSearch] = useState('');
  const found = useMemo(() => searchCards(cards, search), [cards, search]);
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
      {cards.length >= SEARCHED_FROM && (
        <TextField size="small" type="search" fullWidth placeholder="Search prompts and replies" value={search} onChange={(e) => setSearch(e.target.value)}
          sx={{ mb: 1 }} slotProps={{ htmlInput: { 'aria-label': 'Search the model calls' } }} />
      )}
      {found.length < cards.length && (
        <Typography variant="caption" component="p" color="textSecondary" role="status">{found.length} of {cards.length} calls</Typography>
      )}
      {found.map((card) => (
        <Card key={card.key} card={card} all={cards} onOpen={card.trace ? () => open(card.trace!.id) : undefined} />
      ))}
      {shown && <LazyPart onClose={() => open(null)}><LlmTraceDialog trace={shown} open onClose={() => open(null)} /></LazyPart>}
    </InsightsSection>
  );
}
