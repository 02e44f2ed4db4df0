import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keyframes } from '@mui/material/styles';
import type { Phase, Plan } from '../../api/types';
import { Fold } from '../common/Fold';
import { phaseName } from '../../utils/phases';
import type { PhaseCost } from '../../utils/traces';
import { formatTaken, formatTokenCount, type PhaseDetail } from './insightsUtils';
import { PhaseCalls } from './ToolCallGroups';

const pulse = keyframes`50% { opacity: 0.3; }`;
const COLOURS = { pending: 'action.disabled', active: 'info.main', complete: 'success.main' };

function Dot({ status }: { status: PhaseDetail['status'] }) {
  return (
    <Box role="img" aria-label={status}
      sx={{ width: 10, height: 10, borderRadius: '50%', flex: 'none', bgcolor: COLOURS[status],
        animation: status === 'active' ? `${pulse} 1.2s infinite` : 'none' }} />
  );
}

function calls(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`;
}

/** "3.2 s, 1,240 tokens": what its model took; without one, the time of the built-in analyst. */
function costText({ durationMs, tokens }: PhaseCost): string {
  const time = formatTaken(durationMs);
  return tokens > 0 ? `${time}, ${formatTokenCount(tokens)} tokens` : time;
}

function Title({ detail, cost }: { detail: PhaseDetail; cost?: PhaseCost }) {
  return (
    <>
      <Dot status={detail.status} />
      <Typography variant="body2" component="span" sx={{ flex: 1 }}>{phaseName(detail.phase)}</Typography>
      {cost && <Typography variant="caption" color="textSecondary" title="Time and tokens">{costText(cost)}</Typography>}
      {detail.toolCalls.length > 0 && (
        <Typography variant="caption" color="textSecondary">{calls(detail.toolCalls.length)}</Typography>
      )}
    </>
  );
}

interface PhaseDetailsProps {
  details: PhaseDetail[];
  plan: Plan | null;
  costs: ReadonlyMap<Phase, PhaseCost>;
}

/** The phases with the time and tokens they took, and their tool calls. */
export function PhaseDetails({ details, plan, costs }: PhaseDetailsProps) {
  return details.map((detail) => (
    <Fold key={detail.phase} level={4} framed disabled={detail.status === 'pending' && detail.toolCalls.length === 0}
      title={<Title detail={detail} cost={costs.get(detail.phase)} />}>
      {detail.toolCalls.length === 0 ? (
        <Typography variant="caption" color="textSecondary">No tool was called.</Typography>
      ) : (
        <PhaseCalls detail={detail} plan={plan} />
      )}
    </Fold>
  ));
}
