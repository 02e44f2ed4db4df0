import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { memo, useMemo } from 'react';
import type { QueryShown, Turn } from '../../hooks/useExploration';
import type { LocalResult } from '../../utils/disclosure';
import { lastText, type Call } from '../../utils/exploration';
import { Fold } from '../common/Fold';
import { Markdown } from '../common/Markdown';
import { CallResult } from './CallResult';
import { ReportView } from './ReportView';
import { SpecChart } from './SpecChart';

export interface ShownChart {
  id: string;
  title: string;
  chartType: unknown;
  spec: unknown;
  result: LocalResult;
}

/** The charts that the server accepted and this browser has rows for. */
export function chartsOf(turn: Turn, shown: Map<string, QueryShown[]>, reveal: (text: string) => string): ShownChart[] {
  const calls = turn.progress.steps.flatMap((step) => step.calls).filter((call) => call.tool === 'createVisualization' && call.state === 'done');
  return calls.flatMap(({ id, input }) => {
    const result = shown.get(id)?.find((query) => query.result)?.result;
    const title = typeof input.title === 'string' ? reveal(input.title) : 'Chart';
    return result ? [{ id, title, chartType: input.chartType, spec: input.vegaLiteSpec, result }] : [];
  });
}

interface ActivityProps {
  turn: Turn;
  shown: Map<string, QueryShown[]>;
  reveal: (text: string) => string;
}

/** The model's steps: what it wrote, and its calls. */
function Activity({ turn, shown, reveal }: ActivityProps) {
  const { steps, state } = turn.progress;
  const calls: Call[] = steps.flatMap((step) => step.calls);
  const title = `Activity: ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} in ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
  const body = steps.map((step, i) => (
    <Box key={i} sx={{ mb: 1 }}>
      {step.text && step.calls.length > 0 && <Typography variant="body2" color="textSecondary" sx={{ mb: 0.5, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{reveal(step.text)}</Typography>}
      {step.calls.map((call) => <CallResult key={call.id} call={call} queries={shown.get(call.id) ?? []} reveal={reveal} />)}
    </Box>
  ));
  if (state === 'running') return <Box component="section" aria-label="Activity">{body}</Box>;
  return calls.length > 0 && <Fold level={3} title={title}>{body}</Fold>;
}

interface TurnViewProps {
  turn: Turn;
  shown: Map<string, QueryShown[]>;
  reveal: (text: string) => string;
  busy: boolean;
  /** The buttons below the newest answer. */
  last: boolean;
  fileName: string;
  onReport: (turn: Turn) => void;
  onFollowUp: () => void;
  onStartOver: () => void;
}

/** A question and what was found. It is not rendered again while a later question is typed or answered. */
export const TurnView = memo(function TurnView({ turn, shown, reveal, busy, last, fileName, onReport, onFollowUp, onStartOver }: TurnViewProps) {
  const { progress, report } = turn;
  const charts = useMemo(() => chartsOf(turn, shown, reveal), [turn, shown, reveal]);
  const running = progress.state === 'running';
  const summary = progress.found?.summary || lastText(progress);
  const insights = progress.found?.insights ?? [];
  return (
    <Paper variant="outlined" component="section" aria-label={`Exploration: ${turn.question}`} sx={{ p: 2, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h6" component="h2" sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{turn.question}</Typography>
      {running && (
        <Box role="status">
          <Typography variant="body2">{turn.connection === 'reconnecting' ? 'The connection is lost; trying again …' : 'Exploring …'}</Typography>
          <LinearProgress aria-label="Exploring" />
        </Box>
      )}
      <Activity turn={turn} shown={shown} reveal={reveal} />
      {charts.map((chart) => <SpecChart key={chart.id} {...chart} />)}
      {!running && summary && (
        <Box component="section" aria-label="Summary">
          <Typography variant="subtitle1" component="h3">Summary</Typography>
          <Markdown>{reveal(summary)}</Markdown>
        </Box>
      )}
      {insights.length > 0 && (
        <Box component="section" aria-label="Findings">
          <Typography variant="subtitle1" component="h3">Findings</Typography>
          <Box component="ul" sx={{ m: 0, pl: 3 }}>
            {insights.map((insight, i) => <li key={i}><Markdown>{reveal(insight)}</Markdown></li>)}
          </Box>
        </Box>
      )}
      {progress.error && <Alert severity={progress.error === 'Stopped.' ? 'info' : 'error'} variant="outlined">{progress.error}</Alert>}
      {report && <ReportView turn={turn} report={report} charts={charts} shown={shown} reveal={reveal} fileName={fileName} />}
      {!running && (
        <Box className="no-print" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {progress.found && report?.state !== 'writing' && (
            <Button variant={report ? 'outlined' : 'contained'} onClick={() => onReport(turn)}>{report ? 'Write the report again' : 'Generate full report'}</Button>
          )}
          {last && <Button variant="outlined" onClick={onFollowUp} disabled={busy}>Ask follow-up</Button>}
          {last && <Button onClick={onStartOver}>Start over</Button>}
        </Box>
      )}
    </Paper>
  );
});
