import Download from '@mui/icons-material/Download';
import Print from '@mui/icons-material/Print';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useMemo, useRef, useState } from 'react';
import { messageOf } from '../../api/errors';
import type { QueryShown, Report, Turn } from '../../hooks/useExploration';
import { blocksOf } from '../../utils/blocks';
import { ownQueries } from '../../utils/exploration';
import type { ChartType } from '../../utils/vegaSpec';
import { saveBlob } from '../../utils/save';
import { CodeBlock } from '../common/CodeBlock';
import { Markdown } from '../common/Markdown';
import { SpecChart } from './SpecChart';
import type { ShownChart } from './TurnView';

interface ReportViewProps {
  turn: Turn;
  report: Report;
  charts: ShownChart[];
  shown: Map<string, QueryShown[]>;
  reveal: (text: string) => string;
  onType: (id: string, type: ChartType) => void;
  fileName: string;
}

/** The report: its text, the charts, and the queries that it is made of. It can be printed, and saved as one file. */
export function ReportView({ turn, report, charts, shown, reveal, onType, fileName }: ReportViewProps) {
  const prose = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<string | null>(null);
  const text = useMemo(() => reveal(report.text), [report.text, reveal]);
  // While it is written, only its last block changes.
  const blocks = useMemo(() => (report.state === 'writing' ? blocksOf(text) : [text]), [report.state, text]);
  const queries = useMemo(() => ownQueries(turn.progress, (id) => shown.get(id)?.find((query) => query.result)?.sql, reveal), [turn.progress, shown, reveal]);
  const saveHtml = async () => {
    setError(null);
    try {
      const { reportFile } = await import('../../utils/reportFile');
      const html = await reportFile({ title: turn.question, fileName, prose: prose.current!, charts, queries });
      saveBlob(new Blob([html], { type: 'text/html;charset=utf-8' }), 'report.html');
    } catch (problem) {
      setError(messageOf(problem));
    }
  };
  const done = report.state === 'done';
  return (
    <Box component="section" aria-label={`Report: ${turn.question}`} className="report" sx={{ borderTop: 1, borderColor: 'divider', pt: 2, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {report.state === 'writing' && (
        <Box role="status">
          <Typography variant="body2">Writing the report …</Typography>
          <LinearProgress aria-label="Writing the report" />
        </Box>
      )}
      <Box ref={prose} sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: 2 }}>
        {blocks.map((block, i) => <Markdown key={i} below={2}>{block}</Markdown>)}
      </Box>
      {report.error && <Alert severity="error" variant="outlined">The report could not be written: {report.error}</Alert>}
      {done && charts.length > 0 && (
        <Box>
          <Typography variant="subtitle1" component="h3">Charts</Typography>
          {charts.map((chart) => <SpecChart key={chart.id} {...chart} onType={(type) => onType(chart.id, type)} />)}
        </Box>
      )}
      {done && queries.length > 0 && (
        <Box>
          <Typography variant="subtitle1" component="h3">Queries</Typography>
          {queries.map(({ sql, reason }, i) => (
            <Box key={i}>
              {reason && <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>{reason}</Typography>}
              <CodeBlock code={sql} language="sql" wrap />
            </Box>
          ))}
        </Box>
      )}
      {done && (
        <Box className="no-print" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button size="small" startIcon={<Print />} onClick={() => print()}>Print</Button>
          <Button size="small" startIcon={<Download />} onClick={() => void saveHtml()}>HTML</Button>
          <Button size="small" startIcon={<Download />} onClick={() => saveBlob(new Blob([text], { type: 'text/markdown;charset=utf-8' }), 'report.md')}>Markdown</Button>
        </Box>
      )}
      {error && <Alert severity="error" variant="outlined">The file could not be made: {error}</Alert>}
    </Box>
  );
}
