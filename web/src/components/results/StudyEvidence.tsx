import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, memo } from 'react';
import type { Attempt, Study } from '../../utils/study';
import { CodeBlock } from '../common/CodeBlock';
import { Fold } from '../common/Fold';
import { LazyPart } from '../common/LazyPart';
import { Markdown } from '../common/Markdown';

const PlotlyCard = lazy(() => import('./PlotlyCard'));

/** The last line of an error says what it is. */
function lastLine(error: string): string {
  return error.trim().split('\n').at(-1)!.slice(0, 200);
}

/** An attempt that failed, folded: its code and its error. */
export function FailedAttempt({ attempt: { attempt, code, error } }: { attempt: Attempt }) {
  const title = (
    <>
      <ErrorOutline fontSize="small" color="error" titleAccess="Failed" />
      <Typography variant="body2" component="span" sx={{ flex: 'none' }}>Attempt {attempt} failed</Typography>
      <Typography variant="caption" component="span" noWrap color="textSecondary" sx={{ minWidth: 0 }}>{lastLine(error ?? '')}</Typography>
    </>
  );
  return (
    <Fold level={2} framed title={title}>
      {code && <CodeBlock code={code} language="python" />}
      <Typography variant="caption" color="textSecondary">Error</Typography>
      <CodeBlock code={error ?? ''} maxHeight={240} wrap />
    </Fold>
  );
}

function FailedAttempts({ study }: { study: Study }) {
  return study.failed.map((attempt, i) => <FailedAttempt key={i} attempt={attempt} />);
}

const named = (name: string) => <Typography variant="body2" component="span">{name}</Typography>;

interface StudyDetailsProps {
  study: Study;
  /** The code and the result table are shown as a step. */
  hasSteps: boolean;
}

/** How the scientist found a finished answer: failed attempts, code, result, evaluation; all folded. */
export const StudyDetails = memo(function StudyDetails({ study, hasSteps }: StudyDetailsProps) {
  const { code, result, evaluation } = study;
  return (
    <Box sx={{ mt: 1.5 }}>
      <FailedAttempts study={study} />
      {code && !hasSteps && <Fold level={2} framed title={named('Python code')}><CodeBlock code={code} language="python" /></Fold>}
      {result && !hasSteps && <Fold level={2} framed title={named('Result')}><CodeBlock code={result} /></Fold>}
      {evaluation && <Fold level={2} framed title={named('Evaluation')}><Markdown>{evaluation}</Markdown></Fold>}
    </Box>
  );
});

/** The figures of an answer. */
export const StudyFigures = memo(function StudyFigures({ study }: { study: Study }) {
  return study.figures.map((figure, i) => (
    <LazyPart key={i} fallback={<Skeleton variant="rounded" height={420} />}>
      <PlotlyCard figure={figure} title={`Figure ${i + 1}`} />
    </LazyPart>
  ));
});

/** What the scientist did so far: failed attempts, and the code that runs now. */
export const LiveStudy = memo(function LiveStudy({ study }: { study: Study }) {
  const { plan, code, evaluation } = study;
  return (
    <Box sx={{ mb: 2 }}>
      {plan?.reasoning && <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>{plan.reasoning}</Typography>}
      <FailedAttempts study={study} />
      {code && <Fold level={2} framed title={named(study.running ? 'Python code, running' : 'Python code')}><CodeBlock code={code} language="python" /></Fold>}
      {evaluation && <Fold level={2} framed title={named('Evaluation')}><Markdown>{evaluation}</Markdown></Fold>}
    </Box>
  );
});
