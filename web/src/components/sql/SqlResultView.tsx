import Download from '@mui/icons-material/Download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { lazy, useEffect, useId, useMemo, useState, type ReactNode } from 'react';
import { messageOf } from '../../api/errors';
import { exportSql, type ConsoleResult, type SqlWarning } from '../../api/sql';
import { useConsoleRows, type Ran } from '../../hooks/useSqlConsole';
import { chooseChart } from '../../utils/chartChoice';
import { fileNameOf } from '../../utils/fileNames';
import { rowsOfFile } from '../../utils/rows';
import { saveBlob } from '../../utils/save';
import { withUnits, type Units } from '../../utils/units';
import { LazyPart } from '../common/LazyPart';

const ResultGrid = lazy(() => import('../results/ResultGrid'));
const ChartCard = lazy(() => import('../results/ChartCard'));

const FORMATS = ['csv', 'xlsx'] as const;

/** What the semantic model says about the query. */
export function Warnings({ warnings }: { warnings: SqlWarning[] }) {
  return warnings.map(({ kind, sentence, message, grave }) => (
    <Alert key={kind + message} severity={grave ? 'warning' : 'info'} variant="outlined" sx={{ overflowWrap: 'anywhere' }}>
      {sentence && <strong>{sentence} </strong>}
      {message}
    </Alert>
  ));
}

function useRows(ran: Ran & { result: ConsoleResult }, units: Units) {
  const first = useMemo(() => {
    const rows = rowsOfFile(ran.result as Parameters<typeof rowsOfFile>[0], Infinity, Infinity);
    return { ...rows, truncated: ran.result.truncated };
  }, [ran.result]);
  const { rows, ...all } = useConsoleRows(ran, first);
  return { rows: useMemo(() => withUnits(rows, units), [rows, units]), all };
}

interface SqlResultViewProps {
  ran: Ran & { result: ConsoleResult };
  /** For file names. */
  name: string;
  units: Units;
  actions?: ReactNode;
}

/** The rows of a query, as a table and as a chart, and its files. */
export function SqlResultView({ ran, name, units, actions }: SqlResultViewProps) {
  const { rows, all } = useRows(ran, units);
  const { enqueueSnackbar } = useSnackbar();
  const charted = useMemo(() => chooseChart(rows) !== null, [rows]);
  const [wanted, setWanted] = useState<'rows' | 'chart'>('rows');
  const view = charted ? wanted : 'rows';
  const id = useId();
  const { hasMore, isLoading, error, fetchAll } = all;
  useEffect(() => {
    if (view === 'chart' && hasMore && !isLoading && !error) fetchAll(); // a chart of the first rows would mislead
  }, [view, hasMore, isLoading, error, fetchAll]);
  const save = async (format: string) => {
    try {
      const response = await exportSql({ ontologyId: ran.ontologyId, sql: ran.sql, format });
      saveBlob(await response.blob(), fileNameOf(name, 'query', format));
    } catch (problem) {
      enqueueSnackbar(`No ${format.toUpperCase()}: ${messageOf(problem)}`, { variant: 'error' });
    }
  };
  return (
    <Box component="section" aria-label="Result" sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Warnings warnings={ran.result.warnings} />
      {ran.result.valuesCut && <Alert severity="info" variant="outlined">Some values were too long, and are cut.</Alert>}
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', columnGap: 1 }}>
        <Tabs value={view} onChange={(_e, next: 'rows' | 'chart') => setWanted(next)} aria-label="Result" sx={{ flex: 1, minHeight: 40 }}>
          <Tab value="rows" label="Rows" id={`${id}-rows`} aria-controls={`${id}-panel`} sx={{ minHeight: 40, minWidth: 64 }} />
          {charted && <Tab value="chart" label="Chart" id={`${id}-chart`} aria-controls={`${id}-panel`} sx={{ minHeight: 40, minWidth: 64 }} />}
        </Tabs>
        {FORMATS.map((format) => (
          <Button key={format} size="small" startIcon={<Download />} onClick={() => void save(format)}>{format.toUpperCase()}</Button>
        ))}
        {actions}
      </Box>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
        <LazyPart at={view} fallback={<Skeleton variant="rounded" height={160} />}>
          {view === 'rows'
            ? <ResultGrid key={ran.run} rows={rows} label="The result" all={all} />
            : <ChartCard key={ran.run} rows={rows} title={name || 'The result'} all={all} />}
        </LazyPart>
      </Box>
      <Typography variant="caption" color="textSecondary">In {ran.result.elapsedMs.toLocaleString('en-US')} ms.</Typography>
    </Box>
  );
}
