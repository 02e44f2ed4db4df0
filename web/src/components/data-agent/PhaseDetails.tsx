import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keyframes } from '@mui/material/styles';
import type { Plan } from '../../api/types';
import { phaseName } from '../../utils/phases';
import type { PhaseDetail } from './insightsUtils';
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

/** Each phase with the tools that it called. */
export function PhaseDetails({ details, plan }: { details: PhaseDetail[]; plan: Plan | null }) {
  return details.map((detail) => (
    <Accordion key={detail.phase} disableGutters variant="outlined" disabled={detail.toolCalls.length === 0 && detail.status === 'pending'}
      slotProps={{ transition: { unmountOnExit: true }, heading: { component: 'h4' } }}>
      <AccordionSummary expandIcon={<ExpandMore />} sx={{ minHeight: 36, '& .MuiAccordionSummary-content': { my: 0.5, gap: 1, alignItems: 'center' } }}>
        <Dot status={detail.status} />
        <Typography variant="body2" sx={{ flex: 1 }}>{phaseName(detail.phase)}</Typography>
        {detail.toolCalls.length > 0 && (
          <Typography variant="caption" color="textSecondary">{calls(detail.toolCalls.length)}</Typography>
        )}
      </AccordionSummary>
      <AccordionDetails sx={{ pt: 0, minWidth: 0 }}>
        {detail.toolCalls.length === 0 ? (
          <Typography variant="caption" color="textSecondary">No tool was called.</Typography>
        ) : (
          <PhaseCalls detail={detail} plan={plan} />
        )}
      </AccordionDetails>
    </Accordion>
  ));
}
