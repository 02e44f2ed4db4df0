import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { memo, useMemo } from 'react';
import { planOf, type DataChatMessage, type Metadata } from '../../api/types';
import { studyOf } from '../../utils/study';
import { settledCalls } from '../../utils/toolLoop';
import { Markdown } from '../common/Markdown';
import { Caveats, CUT } from './Caveats';
import { ChartImage } from './ChartImage';
import { DataLineageFooter } from './DataLineageFooter';
import { LoopCalls } from '../insights/LoopCalls';
import { MetadataInspector } from '../insights/MetadataInspector';
import { StepEvidence } from './StepEvidence';
import { StudyDetails, StudyFigures } from './StudyEvidence';
import { TrustedBadge } from '../trusted/TrustedBadge';
import { VerificationBadge } from './VerificationBadge';

function Charts({ message, metadata }: { message: DataChatMessage; metadata: Metadata | null }) {
  const charts = message.charts ?? [];
  const alt = (stepId: number) =>
    `Chart: ${planOf(metadata)?.steps.find((s) => s.id === stepId)?.description ?? `step ${stepId}`}`;
  return charts.map((chart) => (
    <Box key={chart.n} sx={{ my: 1 }}>
      <ChartImage messageId={message.id} n={chart.n} alt={alt(chart.stepId)} />
    </Box>
  ));
}

function caveatsOf(metadata: Metadata): string[] {
  const cut = (metadata.stepResults ?? []).some((s) => s.sqlResult?.truncated);
  return [...(cut ? [CUT] : []), ...(metadata.explainerOutput?.caveats ?? [])];
}

interface AnswerBodyProps {
  message: DataChatMessage;
  metadata: Metadata | null;
  /** Far from the visible area: render only the text, so that the browser can search it. */
  textOnly?: boolean;
}

/** A finished answer: badge, text, then the evidence. */
export const AnswerBody = memo(function AnswerBody({ message, metadata, textOnly = false }: AnswerBodyProps) {
  const steps = metadata?.stepResults ?? [];
  const calls = useMemo(() => settledCalls(metadata), [metadata]);
  const study = useMemo(() => studyOf(metadata), [metadata]);
  const text = message.content && <Markdown>{message.content}</Markdown>;
  if (textOnly) return text;
  return (
    <>
      <LoopCalls calls={calls} />
      <Stack direction="row" sx={{ mb: 1, gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        {metadata?.verificationReport && message.status !== 'failed' && <VerificationBadge report={metadata.verificationReport} />}
        {metadata?.trusted && message.status !== 'failed' && <TrustedBadge mark={metadata.trusted} />}
        <Box sx={{ flex: 1, minWidth: 200 }}><MetadataInspector message={message} /></Box>
      </Stack>
      {text}
      {study && <StudyFigures study={study} />}
      <Charts message={message} metadata={metadata} />
      {metadata && <Caveats lines={caveatsOf(metadata)} />}
      {steps.map((step) => (
        <StepEvidence key={step.stepId} step={step} messageId={message.id} />
      ))}
      {study && <StudyDetails study={study} hasSteps={steps.length > 0} />}
      {metadata?.dataLineage && <DataLineageFooter lineage={metadata.dataLineage} />}
    </>
  );
});
