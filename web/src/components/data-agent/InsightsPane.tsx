import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useDeferredValue, useMemo } from 'react';
import type { DataAgentStreamEvent } from '../../api/types';
import type { Shown } from '../../utils/branches';
import { AgentInsightsPanel } from './AgentInsightsPanel';

const WIDTH = 360;

interface InsightsPaneProps {
  open: boolean;
  onClose: () => void;
  chatId: string;
  messages: Shown[];
  streamEvents: DataAgentStreamEvent[];
  isStreaming: boolean;
}

/** Beside the chat on a wide screen, over it on a tablet, instead of it on a phone. */
export function InsightsPane({ open, onClose, messages, streamEvents, isStreaming }: InsightsPaneProps) {
  const wide = useMediaQuery('(min-width:1200px)');
  const phone = useMediaQuery('(max-width:599px)');
  const events = useDeferredValue(streamEvents); // after whoever types
  const shown = useMemo(() => messages.map((m) => m.message), [messages]);
  if (!open) return null;
  const panel = (
    <AgentInsightsPanel messages={shown} streamEvents={events} isStreaming={isStreaming} onClose={onClose} />
  );
  if (wide)
    return (
      <Box sx={{ width: WIDTH, flex: 'none', borderLeft: 1, borderColor: 'divider', bgcolor: 'background.paper', height: '100%' }}>
        {panel}
      </Box>
    );
  return (
    <Drawer open anchor="right" onClose={onClose} slotProps={{ paper: { 'aria-label': 'Insights', sx: { width: phone ? '100%' : WIDTH } } }}>
      {panel}
    </Drawer>
  );
}
