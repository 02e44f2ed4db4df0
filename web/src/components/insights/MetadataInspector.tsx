import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { Fold } from '../common/Fold';
import type { DataChatMessage } from '../../api/types';
import { extractPhaseDetails, extractPlan } from './insightsUtils';
import { ToolCallGroups } from './ToolCallGroups';

/** The plan of an answer and its tool calls, by phase. */
export function MetadataInspector({ message }: { message: DataChatMessage }) {
  const details = useMemo(() => extractPhaseDetails([], [message]), [message]);
  const plan = useMemo(() => extractPlan([], [message]), [message]);
  const calls = details.reduce((sum, detail) => sum + detail.toolCalls.length, 0);
  const steps = plan?.steps.length ?? 0;
  if (steps === 0 && calls === 0) return null;
  const title = (
    <Typography variant="body2" component="span" color="textSecondary">
      How it was found: {steps} {steps === 1 ? 'step' : 'steps'}, {calls} tool {calls === 1 ? 'call' : 'calls'}
    </Typography>
  );
  return (
    <Fold level={2} title={title}>
      {plan?.intent && <Typography variant="body2" sx={{ mb: 1 }}>{plan.intent}</Typography>}
      <ToolCallGroups details={details} plan={plan} />
    </Fold>
  );
}
