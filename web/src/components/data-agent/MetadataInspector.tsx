import ExpandMore from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import type { DataChatMessage } from '../../api/types';
import { extractPhaseDetails, extractPlan } from './insightsUtils';
import { ToolCallGroups } from './ToolCallGroups';

/** How the answer came about: its plan and the tools that were called, by phase. */
export function MetadataInspector({ message }: { message: DataChatMessage }) {
  const details = useMemo(() => extractPhaseDetails([], [message]), [message]);
  const plan = useMemo(() => extractPlan([], [message]), [message]);
  const calls = details.reduce((sum, detail) => sum + detail.toolCalls.length, 0);
  if (!plan && calls === 0) return null;
  return (
    <Accordion disableGutters elevation={0} slotProps={{ transition: { unmountOnExit: true } }}
      sx={{ bgcolor: 'transparent', '&::before': { display: 'none' } }}>
      <AccordionSummary expandIcon={<ExpandMore />} sx={{ px: 0, minHeight: 36, '& .MuiAccordionSummary-content': { my: 0.5 } }}>
        <Typography variant="body2" color="textSecondary">
          How it was found: {plan?.steps.length ?? 0} {plan?.steps.length === 1 ? 'step' : 'steps'}, {calls} tool {calls === 1 ? 'call' : 'calls'}
        </Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 0, pt: 0, minWidth: 0 }}>
        {plan?.intent && <Typography variant="body2" sx={{ mb: 1 }}>{plan.intent}</Typography>}
        <ToolCallGroups details={details} plan={plan} />
      </AccordionDetails>
    </Accordion>
  );
}
