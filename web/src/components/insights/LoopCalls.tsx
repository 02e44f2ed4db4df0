import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LoopCall } from '../../utils/toolLoop';
import { Fold } from '../common/Fold';
import { ToolCallAccordion } from './ToolCallAccordion';

/** More calls would push the answer off a phone's screen. */
const SHOWN_AT_ONCE = 6;

/** The tool calls of an agent that works in a loop, in order. */
export function LoopCalls({ calls }: { calls: LoopCall[] }) {
  if (calls.length === 0) return null;
  const atOnce = calls.length <= SHOWN_AT_ONCE;
  const list = calls.map((call, i) => <ToolCallAccordion key={i} level={atOnce ? 2 : 3} toolCall={call} />);
  if (atOnce) return <Box sx={{ mb: 1.5 }}>{list}</Box>;
  const title = <Typography variant="body2" component="span" color="textSecondary">{calls.length} tool calls</Typography>;
  return <Fold level={2} title={title}>{list}</Fold>;
}
