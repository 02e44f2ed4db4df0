import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { memo, useMemo } from 'react';
import { planOf, type DataChatMessage, type Metadata, type StepResult } from '../../api/types';
import { asksForChart, chooseChart } from '../../utils/chartChoice';
import { isCheck, lineageWithoutChecks } from '../../utils/checkSteps';
import { rowsOf } from '../../utils/rows';
import { withoutSameTables } from '../../utils/sameTable';
import { studyOf } from '../../utils/study';
import { hasUndefinedTerm } from '../../utils/terms';
import { settledCalls } from '../../utils/toolLoop';
import { Markdown } from '../common/Markdown';
import { AnswerContext } from './answerContext';
import { AnswerTerms } from '../model/AnswerTerms';
import { Caveats, CUT } from './Caveats';
import { ChartImage } from './ChartImage';
import { DataLineageFooter } from './DataLineageFooter';
import { LoopCalls } from '../insights/LoopCalls';
import { MetadataInspector } from '../insights/MetadataInspector';
import { noneSucceeded, NoResult } from './NoResult';
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
      <ChartImage messageId={message.id} n={chart.n} alt={alt(chart.stepId)} mediaType={chart.mediaType} />
    </Box>
  ));
}

function caveatsOf(metadata: Metadata): string[] {
  const cut = (metadata.stepResults ?? []).some((s) => s.sqlResult?.truncated);
  return [...(cut ? [CUT] : []), ...(metadata.explainerOutput?.caveats ?? [])];
}

/** The step whose rows a chart that was asked for shows: the last one that can be drawn. */
function chartedStep(steps: StepResult[]): StepResult | undefined {
  return steps.findLast(({ sqlResult, error }) => {
    const rows = !error && sqlResult ? rowsOf(sqlResult) : null;
    return rows !== null && chooseChart(rows) !== null;
  });
}

/** The badges stay at the top when what is next to them is unfolded, which has the whole width of a phone then. */
const BADGES = {
  mb: 1, gap: 1, alignItems: 'flex-start', flexWrap: 'wrap', '& > .MuiChip-root': { mt: '6px' },
  '& > .found': { flex: 1, minWidth: 200 },
  '& > .found:has(.Mui-expanded)': { flexBasis: { xs: '100%', sm: 0 } },
} as const;

interface AnswerBodyProps {
  message: DataChatMessage;
  metadata: Metadata | null;
  question?: string;
  /** Far from the visible area: render only the text, so that the browser can search it. */
  textOnly?: boolean;
}

/** A finished answer: badge, text, then the evidence. */
export const AnswerBody = memo(function AnswerBody({ message, metadata, question = '', textOnly = false }: AnswerBodyProps) {
  const steps = useMemo(() => metadata?.stepResults ?? [], [metadata]);
  const calls = useMemo(() => settledCalls(metadata), [metadata]);
  const study = useMemo(() => studyOf(metadata), [metadata]);
  const shown = useMemo(() => withoutSameTables(message.content, steps), [message.content, steps]);
  const text = shown && <Markdown>{shown}</Markdown>;
  const lineage = useMemo(
    () => metadata?.dataLineage && lineageWithoutChecks(metadata.dataLineage, steps, (i) => steps[i]!.sqlResult?.rowCount),
    [metadata, steps],
  );
  const facts = useMemo(() => ({ plan: planOf(metadata), question, answeredAt: message.createdAt }), [metadata, question, message.createdAt]);
  const asked = asksForChart(question);
  const charted = useMemo(() => (asked ? chartedStep(steps) : undefined), [asked, steps]);
  if (textOnly) return text;
  const pictures = (
    <>
      {study && <StudyFigures study={study} />}
      <Charts message={message} metadata={metadata} />
      {charted && !message.charts?.length && <StepEvidence step={charted} messageId={message.id} chartFirst />}
    </>
  );
  const failed = noneSucceeded(steps);
  const others = failed ? [] : message.charts?.length ? steps : steps.filter((step) => step !== charted);
  return (
    <AnswerContext value={facts}>
      <LoopCalls calls={calls} />
      <Stack direction="row" sx={BADGES}>
        {metadata?.verificationReport && message.status !== 'failed' && <VerificationBadge report={metadata.verificationReport} />}
        {metadata?.trusted && message.status !== 'failed' && <TrustedBadge mark={metadata.trusted} />}
        <Box className="found"><MetadataInspector message={message} /></Box>
      </Stack>
      {asked && pictures}
      {failed && metadata ? <NoResult steps={steps} metadata={metadata} /> : text}
      {!asked && pictures}
      {metadata && <Caveats lines={caveatsOf(metadata)} />}
      {others.map((step) => (
        <StepEvidence key={step.stepId} step={step} messageId={message.id} isLast={step === steps.at(-1)}
          folded={others.length > 1 && isCheck(step)} />
      ))}
      {study && <StudyDetails study={study} hasSteps={steps.length > 0} />}
      {lineage && <DataLineageFooter lineage={lineage} />}
      {/* Last, because they appear when the model of the data is loaded. */}
      {message.chatId && message.status === 'complete' && (
        <AnswerTerms chatId={message.chatId} question={question} isUndefined={hasUndefinedTerm(message.content, facts.plan)} />
      )}
    </AnswerContext>
  );
});
