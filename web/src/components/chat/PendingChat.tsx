import Box from '@mui/material/Box';
import type { Agent } from '../../utils/agents';
import { NO_PROGRESS } from '../../utils/runState';
import { PendingQuestion } from './PendingQuestion';
import { RunProgress } from '../insights/RunProgress';

/** A chat that the server is still creating: its first question and the progress. */
export function PendingChat({ question, agent }: { question: string; agent: Agent }) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <Box sx={{ px: 2, flex: 1 }}>
        <Box role="log" aria-label="Messages" aria-live="off" sx={{ maxWidth: 860, mx: 'auto', py: 2 }}>
          <PendingQuestion content={question} />
        </Box>
      </Box>
      <RunProgress agent={agent} progress={NO_PROGRESS} rounds={[]} startedAt={null} />
    </Box>
  );
}
