import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { DataAgentStreamEvent, Metadata } from '../../api/types';
import { useElapsedTimer } from '../../hooks/useElapsedTimer';
import { extractLiveTokens, extractStartedAt, formatDuration, formatTokenCount } from './insightsUtils';

interface StatsRowProps {
  events: DataAgentStreamEvent[];
  metadata: Metadata | null;
  isStreaming: boolean;
}

function Stat({ name, value }: { name: string; value: string }) {
  return (
    <Paper variant="outlined" sx={{ p: 1 }}>
      <Typography variant="caption" color="textSecondary">{name}</Typography>
      <Typography variant="h6" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>{value}</Typography>
    </Paper>
  );
}

/** Duration and tokens. */
export function StatsRow({ events, metadata, isStreaming }: StatsRowProps) {
  const live = useMemo(() => extractLiveTokens(events), [events]);
  const elapsed = useElapsedTimer(extractStartedAt(events), isStreaming);
  const tokens = isStreaming ? live : (metadata?.tokensUsed ?? live);
  const duration = isStreaming ? elapsed : formatDuration(metadata?.durationMs ?? 0);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1, mb: 1 }}>
      <Stat name="Duration" value={duration} />
      <Stat name="Input tokens" value={formatTokenCount(tokens.prompt)} />
      <Stat name="Output tokens" value={formatTokenCount(tokens.completion)} />
      <Stat name="Total tokens" value={formatTokenCount(tokens.total)} />
    </Box>
  );
}
