import Download from '@mui/icons-material/Download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { lazy, useEffect, useId, useMemo, useState } from 'react';
import { errorOf, messageOf } from '../../api/errors';
import { authorizedFetch } from '../../api/session';
import type { StepResult } from '../../api/types';
import { useAllRows } from '../../hooks/useAllRows';
import { chooseChart } from '../../utils/chartChoice';
import { printedBy } from '../../utils/pythonRows';
import { FILTERED_FROM } from '../../utils/filterRows';
import { rowsOf, type Rows } from '../../utils/rows';
import { withUnits } from '../../utils/units';
import { fileNameOf } from '../../utils/fileNames';
import { saveBlob } from '../../utils/save';
import { CodeBlock } from '../common/CodeBlock';
import { Fold } from '../common/Fold';
import { Later } from '../common/Later';
import { LazyPart } from '../common/LazyPart';
import { useAnswer, useUnits } from './answerContext';

const ResultGrid = lazy(() => import('./ResultGrid'));
const ChartCard = lazy(() => import('./ChartCard'));

type View = 'rows' | 'chart' | 'sql' | 'python';

export type SomeStep = Pick<StepResult, 'stepId'> & Partial<StepResult>;

const FORMATS = ['csv', 'xlsx'] as const;
type Format = (typeof FORMATS)[number];

/** Downloads the whole result of a step: the server runs the query again, or has kept the rows that the code of the last step returned. */
function useExport(messageId: string | undefined, { stepId, sqlResult }: SomeStep) {
  const { question } = useAnswer();
  const { enqueueSnackbar } = useSnackbar();
  return async (format: Format) => {
    try {
      const path = sqlResult ? `/api/data-agent/messages/${messageId}/steps/${stepId}/export` : `/runs/${messageId}/export`;
      const response = await authorizedFetch(`${path}?format=${format}`);
      if (!response.ok) throw await errorOf(response);
      saveBlob(await response.blob(), fileNameOf(stepId > 1 ? `${question} step ${stepId}` : question, `step-${stepId}`, format));
    } catch (error) {
      enqueueSnackbar(`No ${format.toUpperCase()}: ${messageOf(error)}`, { variant: 'error' });
    }
  };
}

function PythonPart({ step, printed }: { step: SomeStep; printed: string }) {
  const python = step.pythonResult;
  if (!python) return null;
  return (
    <>
      {python.code && <CodeBlock code={python.code} language="python" />}
      {printed && <CodeBlock code={printed} />}
      {python.stderr && <CodeBlock code={python.stderr} />}
    </>
  );
}

function viewsOf(step: SomeStep, rows: Rows | null, charted: boolean): View[] {
  const views: View[] = [];
  if (rows) views.push('rows');
  if (rows && charted) views.push('chart');
  if (step.sqlResult?.sql) views.push('sql');
  if (step.pythonResult) views.push('python');
  return views;
}

const NAMES: Record<View, string> = { rows: 'Rows', chart: 'Chart', sql: 'SQL', python: 'Python' };

const [ROW, OTHERS, MOST, CHART, FILTER, TABS] = [33, 62, 420, 320, 48, 48];

/** Of a table that is not rendered yet, so that nothing moves when it is. */
function usualHeight(rows: Rows | null): number {
  const count = rows?.rows.length ?? 0;
  return Math.min(MOST, ROW * (count + 1)) + (OTHERS - ROW) + (count >= FILTERED_FROM ? FILTER : 0);
}

interface StepEvidenceProps {
  step: SomeStep;
  messageId?: string;
  /** The question asks for a chart. */
  chartFirst?: boolean;
  /** The last step of a finished answer. */
  isLast?: boolean;
}

/** The query or code of a step, and its result. */
export function StepEvidence({ folded = false, ...props }: StepEvidenceProps & { folded?: boolean }) {
  if (!folded) return <Evidence {...props} />;
  const { description, stepId } = props.step;
  return (
    <Box sx={{ mt: 1.5 }}>
      <Fold level={3} framed title={<Typography variant="body2">{description || `Step ${stepId}`}</Typography>}><Evidence {...props} bare /></Fold>
    </Box>
  );
}

function Evidence({ step, messageId, chartFirst = false, isLast = false, bare = false }: StepEvidenceProps & { bare?: boolean }) {
  const printed = useMemo(() => printedBy(step.pythonResult?.stdout ?? ''), [step.pythonResult]);
  const first = useMemo(() => step.sqlResult ? rowsOf(step.sqlResult) : printed.rows, [step.sqlResult, printed]);
  // The server can read on in a query only.
  const { rows: read, ...all } = useAllRows(step.error || !step.sqlResult ? undefined : messageId, step.stepId, first);
  const units = useUnits();
  const rows = useMemo(() => withUnits(read && { ...read, totals: first?.totals }, units), [read, first, units]);
  const charted = useMemo(() => rows !== null && chooseChart(rows) !== null, [rows]);
  const views = viewsOf(step, rows, charted);
  const [wanted, setWanted] = useState<View | null>(null);
  const id = useId();
  const download = useExport(messageId, step);
  const canSave = messageId && !step.error && (step.sqlResult || (isLast && printed.rows));
  const view = wanted ?? (chartFirst && charted ? 'chart' : views[0]);
  const { hasMore, isLoading, error, fetchAll } = all;
  useEffect(() => {
    if (view === 'chart' && hasMore && !isLoading && !error) fetchAll(); // a chart of the first rows would mislead
  }, [view, hasMore, isLoading, error, fetchAll]);
  const usual = view === 'rows' ? usualHeight(rows) : CHART;
  const title = step.description || `Step ${step.stepId}`;
  return (
    <Box sx={bare ? { minWidth: 0 } : { mt: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, p: 1, minWidth: 0 }}>
      {!bare && <Typography variant="body2" sx={{ fontWeight: 600 }}>{title}</Typography>}
      {step.error && (
        <Typography variant="body2" color="error" sx={{ overflowWrap: 'anywhere' }}>{step.error}</Typography>
      )}
      {view && (
        <Later instead={<Box sx={{ height: TABS + usual }} />}>
          <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap' }}>
            <Tabs value={view} onChange={(_e, next: View) => setWanted(next)} aria-label={`Evidence: ${title}`}
              sx={{ flex: 1, minHeight: 40 }}>
              {views.map((v) => (
                <Tab key={v} value={v} label={NAMES[v]} id={`${id}-${v}`} aria-controls={`${id}-panel`}
                  sx={{ minHeight: 40, minWidth: 64, px: 1.5 }} />
              ))}
            </Tabs>
            {canSave && FORMATS.map((format) => (
              <Button key={format} size="small" startIcon={<Download />} onClick={() => void download(format)}>{format.toUpperCase()}</Button>
            ))}
          </Box>
          <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`} sx={{ pt: 1 }}>
            <LazyPart at={view} fallback={<Skeleton variant="rounded" height={usual} />}>
              {view === 'rows' && rows && <ResultGrid rows={rows} label={title} all={all} />}
              {view === 'chart' && rows && <ChartCard rows={rows} title={title} all={all} />}
            </LazyPart>
            {view === 'sql' && <CodeBlock code={step.sqlResult?.sql ?? ''} language="sql" />}
            {view === 'python' && <PythonPart step={step} printed={step.sqlResult ? (step.pythonResult?.stdout ?? '') : printed.text} />}
          </Box>
        </Later>
      )}
    </Box>
  );
}
