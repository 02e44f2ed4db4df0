import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryShown, Turn } from '../../hooks/useExploration';
import type { LocalResult } from '../../utils/disclosure';
import type { TableColumn } from '../../utils/aggregateQuery';
import { lastText, type Call, type Exploration } from '../../utils/exploration';
import { verdictOf, verdictText, type Verdict } from '../../utils/toolOutput';
import type { ChartType } from '../../utils/vegaSpec';
import { Fold } from '../common/Fold';
import { Markdown } from '../common/Markdown';
import { CallResult } from './CallResult';
import { ReportView } from './ReportView';
import { SpecChart } from './SpecChart';
import { Mark } from './ToolAnswer';

export interface ShownChart {
  id: string;
  title: string;
  chartType: unknown;
  spec: unknown;
  result: LocalResult;
  /** As the person wants it. */
  type?: ChartType;
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
  columns: TableColumn[];
  reveal: (text: string) => string;
}

/** The model's steps: what it wrote, and its calls. */
function Activity({ turn, shown, columns, reveal }: ActivityProps) {
  const { steps, state } = turn.progress;
  const calls: Call[] = steps.flatMap((step) => step.calls);
  const title = `Activity: ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} in ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
  const body = steps.map((step, i) => (
    <Box key={i} sx={{ mb: 1 }}>
      {step.text && step.calls.length > 0 && <Typography variant="body2" color="textSecondary" sx={{ mb: 0.5, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{reveal(step.text)}</Typography>}
      {step.calls.map((call) => <CallResult key={call.id} level={state === 'running' ? 3 : 4} call={call} queries={shown.get(call.id) ?? []} columns={columns} reveal={reveal} />)}
    </Box>
  ));
  if (state === 'running') return <Box component="section" aria-label="Activity">{body}</Box>;
  return calls.length > 0 && <Fold level={3} title={title}>{body}</Fold>;
}

/** The findings that were checked, each once. */
function verdictsOf(turn: Turn): Verdict[] {
  const calls = turn.progress.steps.flatMap((step) => step.calls).filter((call) => call.tool === 'validateAnalysis' && call.state === 'done');
  const verdicts = calls.map((call) => verdictOf(call.output)).filter((one) => one !== null && one.finding !== '') as Verdict[];
  return [...new Map(verdicts.map((one) => [one.finding, one])).values()];
}

interface FindingsProps {
  turn: Turn;
  summary: string;
  reveal: (text: string) => string;
}

/** What was checked, with the outcome; and findings that are not in the summary. */
function Findings({ turn, summary, reveal }: FindingsProps) {
  const verdicts = useMemo(() => verdictsOf(turn), [turn]);
  const checked = new Set(verdicts.map(({ finding }) => finding));
  const others = (turn.progress.found?.insights ?? []).filter((insight) => !checked.has(insight) && !summary.includes(insight));
  if (verdicts.length + others.length === 0) return null;
  return (
    <Box component="section" aria-label={`Findings: ${turn.question}`}>
      <Typography variant="subtitle1" component="h3">Findings</Typography>
      {verdicts.length > 0 && (
        <Box component="ul" aria-label="Checked findings" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {verdicts.map((verdict) => (
            <Box key={verdict.finding} component="li" sx={{ display: 'flex', gap: 1, py: 0.5 }}>
              <Mark passed={verdict.passed && verdict.checks.every(({ passed }) => passed)} fails={!verdict.passed} />
              <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                <Typography component="span" variant="body1">{reveal(verdict.finding)}</Typography>
                <Typography variant="body2" color="textSecondary">
                  {[verdictText(verdict), ...verdict.checks.filter(({ passed }) => !passed).map(({ message }) => message)].join('. ').replaceAll('..', '.')}
                </Typography>
              </Box>
            </Box>
          ))}
        </Box>
      )}
      {others.length > 0 && (
        <Box component="ul" aria-label="Other findings" sx={{ m: 0, pl: 3 }}>
          {others.map((insight, i) => <li key={i}><Markdown>{reveal(insight)}</Markdown></li>)}
        </Box>
      )}
    </Box>
  );
}

/** A report has something to say. */
function isFilled({ summary, insights, executedQueries, charts }: Exploration): boolean {
  return summary.trim() !== '' || insights.length + executedQueries.length + charts.length > 0;
}

interface TurnViewProps {
  turn: Turn;
  shown: Map<string, QueryShown[]>;
  columns: TableColumn[];
  reveal: (text: string) => string;
  busy: boolean;
  /** The buttons below the newest answer. */
  last: boolean;
  fileName: string;
  onStop: () => void;
  /** Asks the same again. */
  onAgain: (question: string) => void;
  onReport: (turn: Turn) => void;
  onFollowUp: () => void;
  onStartOver: () => void;
}

/** A question and what was found. It is not rendered again while a later question is typed or answered. */
export const TurnView = memo(function TurnView({ turn, shown, columns, reveal, busy, last, fileName, onStop, onAgain, onReport, onFollowUp, onStartOver }: TurnViewProps) {
  const { progress, report } = turn;
  const [types, setTypes] = useState<Record<string, ChartType>>({});
  const onType = useCallback((id: string, type: ChartType) => setTypes((all) => ({ ...all, [id]: type })), []);
  const charts = useMemo(() => chartsOf(turn, shown, reveal).map((chart) => ({ ...chart, type: types[chart.id] })), [turn, shown, reveal, types]);
  const running = progress.state === 'running';
  // The last words of an exploration that did not end are no summary.
  const summary = progress.found?.summary || (progress.state === 'done' ? lastText(progress) : '');
  const place = useRef<HTMLElement>(null);
  // A new question may be below the window.
  useEffect(() => {
    void place.current?.scrollIntoView?.({ block: 'nearest' });
  }, []);
  const mayReport = !running && progress.found !== null && isFilled(progress.found) && report?.state !== 'writing';
  return (
    <Paper variant="outlined" component="section" ref={place} aria-label={`Exploration: ${turn.question}`} sx={{ p: 2, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography variant="h6" component="h2" sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{turn.question}</Typography>
      {running && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Box role="status" sx={{ flex: 1, minWidth: 0 }}>
            <Typography variant="body2">{turn.connection === 'reconnecting' ? 'The connection is lost; trying again …' : 'Exploring …'}</Typography>
            <LinearProgress aria-label="Exploring" />
          </Box>
          <Button variant="outlined" size="small" onClick={onStop}>Stop</Button>
        </Box>
      )}
      <Activity turn={turn} shown={shown} columns={columns} reveal={reveal} />
      {!running && summary && (
        <Box component="section" aria-label={`Summary: ${turn.question}`}>
          <Typography variant="subtitle1" component="h3">Summary</Typography>
          <Markdown>{reveal(summary)}</Markdown>
        </Box>
      )}
      {!running && <Findings turn={turn} summary={summary} reveal={reveal} />}
      {report?.state !== 'done' && charts.map((chart) => <SpecChart key={chart.id} {...chart} onType={(type) => onType(chart.id, type)} />)}
      {progress.error && <Alert severity={progress.error === 'Stopped.' ? 'info' : 'error'} variant="outlined">{progress.error}</Alert>}
      {report && <ReportView turn={turn} report={report} charts={charts} shown={shown} reveal={reveal} onType={onType} fileName={fileName} />}
      {!running && (mayReport || last) && (
        <Box className="no-print" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {mayReport && (
            <Button variant={report ? 'outlined' : 'contained'} onClick={() => onReport(turn)}>{report ? 'Write the report again' : 'Generate full report'}</Button>
          )}
          {last && progress.state === 'failed' && <Button variant="outlined" onClick={() => onAgain(turn.question)}>Ask again</Button>}
          {last && <Button variant="outlined" onClick={onFollowUp} disabled={busy}>Ask follow-up</Button>}
          {last && <Button onClick={onStartOver}>Start over</Button>}
        </Box>
      )}
    </Paper>
  );
});
