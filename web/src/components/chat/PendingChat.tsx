import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import useMediaQuery from '@mui/material/useMediaQuery';
import { BESIDE, INSIGHTS_WIDTH } from '../../theme/theme';
import type { Agent } from '../../utils/agents';
import { NO_PROGRESS } from '../../utils/runState';
import { PendingQuestion } from './PendingQuestion';
import { RunProgress } from '../insights/RunProgress';

const HEAD = { height: 57, flex: 'none', borderBottom: 1, borderColor: 'divider' };

/** A chat that the server is still creating: its first question and the progress, where the chat will have them. */
export function PendingChat({ question, agent }: { question: string; agent: Agent }) {
  const beside = useMediaQuery(BESIDE);
  return (
    <Box sx={{ display: 'flex', height: '100%' }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0 }}>
        <Box sx={HEAD} />
        <Box sx={{ px: 2, flex: 1, minHeight: 0, overflow: 'hidden' }}>
          <Box role="log" aria-label="Messages" aria-live="off" sx={{ maxWidth: 860, mx: 'auto', py: 2 }}>
            <PendingQuestion content={question} />
          </Box>
        </Box>
        <RunProgress agent={agent} progress={NO_PROGRESS} rounds={[]} startedAt={null} />
        <Box sx={{ px: 2, pb: 'max(12px, env(safe-area-inset-bottom))', pt: 1 }}>
          <Paper variant="outlined" sx={{ maxWidth: 860, height: 92, mx: 'auto', borderRadius: 3 }} />
        </Box>
      </Box>
      {beside && (
        <Box sx={{ width: INSIGHTS_WIDTH, flex: 'none', borderLeft: 1, borderColor: 'divider', bgcolor: 'background.paper' }}>
          <Box sx={HEAD} />
        </Box>
      )}
    </Box>
  );
}
