import Box from '@mui/material/Box';
import { memo } from 'react';
import type { LoopRound } from '../../utils/toolLoop';
import { Markdown } from '../common/Markdown';
import { ToolCallAccordion } from './ToolCallAccordion';

/** Text that the model wrote before its answer. */
function Thought({ words }: { words: string }) {
  return (
    <Box role="note" aria-label="Thinking"
      sx={{ borderLeft: 3, borderColor: 'divider', pl: 1.5, color: 'text.secondary', fontSize: '0.9em', minWidth: 0 }}>
      <Markdown>{words}</Markdown>
    </Box>
  );
}

const Round = memo(function Round({ round }: { round: LoopRound }) {
  return (
    <>
      {round.words.trim() && <Thought words={round.words} />}
      <Box>{round.calls.map((call, i) => <ToolCallAccordion key={i} level={2} toolCall={call} />)}</Box>
    </>
  );
});

/** The rounds of an answer in progress: text and tool calls, in order. */
export const LoopTranscript = memo(function LoopTranscript({ rounds }: { rounds: LoopRound[] }) {
  if (rounds.length === 0) return null;
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: 1.5, mb: 2 }}>
      {rounds.map((round, i) => <Round key={i} round={round} />)}
    </Box>
  );
});
