import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { DataAgentStreamEvent, Metadata, TokensUsed } from '../../api/types';
import { useElapsedTimer } from '../../hooks/useElapsedTimer';
import {
  countModelCalls, extractLiveTokens, extractStartedAt, formatCost, formatTaken, formatTokenCount,
} from './insightsUtils';

interface StatsRowProps {
  events: DataAgentStreamEvent[];
  metadata: Metadata | null;
  isStreaming: boolean;
  /** For an agent without phases: the number of its tool calls. */
  toolCalls?: number;
}

function Stat({ name, value }: { name: string; value: string }) {
  return (
    <Paper variant="outlined" sx={{ p: 1 }}>
      <Typography variant="caption" color="textSecondary">{name}</Typography>
      <Typography variant="h6" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>{value}</Typography>
    </Paper>
  );
}

/** Null if no paid model was used: the built-in analyst uses no tokens. */
function Tokens({ tokens }: { tokens: TokensUsed | undefined }) {
  if (!tokens?.total) return null;
  return (
    <>
      <Stat name="Input tokens" value={formatTokenCount(tokens.prompt)} />
      <Stat name="Output tokens" value={formatTokenCount(tokens.completion)} />
      <Stat name="Total tokens" value={formatTokenCount(tokens.total)} />
      {tokens.cost !== undefined && <Stat name="Cost" value={formatCost(tokens.cost)} />}
      {Boolean(tokens.cached) && <Stat name="Cached input" value={formatTokenCount(tokens.cached!)} />}
      {Boolean(tokens.reasoning) && <Stat name="Reasoning" value={formatTokenCount(tokens.reasoning!)} />}
    </>
  );
}

function Loop({ modelCalls, toolCalls }: { modelCalls: number | undefined; toolCalls: number }) {
  return (
    <>
      {Boolean(modelCalls) && <Stat name="Model calls" value={formatTokenCount(modelCalls!)} />}
      <Stat name="Tool calls" value={formatTokenCount(toolCalls)} />
    </>
  );
}

/** Duration, tokens and calls, if they are known. */
export function StatsRow({ events, metadata, isStreaming, toolCalls }: StatsRowProps) {
  const live = useMemo(() => extractLiveTokens(events), [events]);
  const elapsed = useElapsedTimer(extractStartedAt(events), isStreaming);
  if (!isStreaming && !metadata) return null;
  const tokens = isStreaming ? live : metadata?.tokensUsed;
  const taken = metadata?.durationMs;
  const startedAt = extractStartedAt(events);
  const duration = isStreaming ? (startedAt === null ? '…' : elapsed) : taken === undefined ? null : formatTaken(taken);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1, mb: 1 }}>
      {duration !== null && <Stat name="Duration" value={duration} />}
      {toolCalls !== undefined && (
        <Loop modelCalls={isStreaming ? countModelCalls(events) : tokens?.total ? metadata?.llmCallCount : undefined} toolCalls={toolCalls} />
      )}
      <Tokens tokens={tokens} />
    </Box>
  );
}
