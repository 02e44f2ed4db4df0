import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Plan } from '../../api/types';
import { phaseName } from '../../utils/phases';
import type { PhaseDetail, PhaseToolCall } from './insightsUtils';
import { ToolCallAccordion } from './ToolCallAccordion';

function byStep(calls: PhaseToolCall[]): [number | undefined, PhaseToolCall[]][] {
  const groups = new Map<number | undefined, PhaseToolCall[]>();
  for (const call of calls) groups.set(call.stepId, [...(groups.get(call.stepId) ?? []), call]);
  return [...groups];
}

/** The calls of one phase, grouped by step if they belong to one. */
export function PhaseCalls({ detail, plan, level = 5 }: { detail: PhaseDetail; plan: Plan | null; level?: 4 | 5 }) {
  return byStep(detail.toolCalls).map(([stepId, calls]) => (
    <Box key={stepId ?? 'phase'} sx={{ mb: 1 }}>
      {stepId !== undefined && (
        <Typography variant="caption" color="textSecondary">
          Step {stepId}: {plan?.steps.find((step) => step.id === stepId)?.description ?? ''}
        </Typography>
      )}
      {calls.map((call, i) => (
        <ToolCallAccordion key={i} level={level} toolCall={call} />
      ))}
    </Box>
  ));
}

/** All calls of an answer, grouped by phase. */
export function ToolCallGroups({ details, plan }: { details: PhaseDetail[]; plan: Plan | null }) {
  return details
    .filter((detail) => detail.toolCalls.length > 0)
    .map((detail) => (
      <Box key={detail.phase} sx={{ mb: 1 }}>
        <Typography variant="subtitle2" component="h3">{phaseName(detail.phase)}</Typography>
        <PhaseCalls detail={detail} plan={plan} level={4} />
      </Box>
    ));
}
