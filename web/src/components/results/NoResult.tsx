import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Metadata, StepResult } from '../../api/types';
import { CodeBlock } from '../common/CodeBlock';
import { ErrorCard } from '../common/ErrorCard';

/** The query of a step that failed: as it ran, or as it was written. */
function queryOf({ stepId, sqlResult }: StepResult, metadata: Metadata): string {
  return sqlResult?.sql || metadata.querySpecs?.find((spec) => spec.stepId === stepId)?.fullSql || '';
}

interface NoResultProps {
  /** All of them failed. */
  steps: StepResult[];
  metadata: Metadata;
}

/** In the place of a text that could only be invented: why each step failed, and its query. */
export function NoResult({ steps, metadata }: NoResultProps) {
  const title = steps.length === 1 ? 'The query failed, so there is no answer' : 'No step succeeded, so there is no answer';
  return steps.map((step, i) => (
    <ErrorCard key={step.stepId} title={i === 0 ? title : step.description || `Step ${step.stepId}`} error={new Error(step.error ?? '')}>
      <Typography variant="body2" sx={{ my: 0.5 }}>{i === 0 && steps.length > 1 ? step.description : 'Ask in other words, or ask the owner of the data to look at the query.'}</Typography>
      <Box sx={{ minWidth: 0 }}>
        {queryOf(step, metadata) && <CodeBlock code={queryOf(step, metadata)} language="sql" maxHeight={240} />}
        {step.pythonResult?.code && <CodeBlock code={step.pythonResult.code} language="python" maxHeight={240} />}
      </Box>
    </ErrorCard>
  ));
}

/** Whether steps ran and none of them has a result. */
export const noneSucceeded = (steps: StepResult[]): boolean => steps.length > 0 && steps.every((step) => Boolean(step.error));
