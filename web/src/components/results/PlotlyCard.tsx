import Download from '@mui/icons-material/Download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useCallback, useMemo, useState } from 'react';
import { messageOf } from '../../api/errors';
import { useDark } from '../../hooks/useDark';
import { figureRows } from '../../utils/figureTable';
import { readFigure } from '../../utils/plotlyFigure';
import { fileNameOf } from '../../utils/fileNames';
import { saveUrl } from '../../utils/save';
import { useAnswer } from './answerContext';
import PlotlyChart, { imageOf } from './PlotlyChart';
import ResultGrid from './ResultGrid';

type View = 'chart' | 'table';

/** A figure of Plotly as a chart or as a table, with PNG. */
export default function PlotlyCard({ figure: raw, title }: { figure: unknown; title: string }) {
  const { question } = useAnswer();
  const figure = useMemo(() => readFigure(raw), [raw]);
  const rows = useMemo(() => figure && figureRows(figure), [figure]);
  const drawn = figure !== null && figure.data.length > 0;
  const [wanted, setWanted] = useState<View>('chart');
  const [width, setWidth] = useState(0);
  const dark = useDark();
  const { enqueueSnackbar } = useSnackbar();
  const measure = useCallback((box: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setWidth(Math.max(240, box.clientWidth)));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  if (!figure || !rows) return <Typography variant="body2" color="textSecondary">The chart has nothing that could be drawn.</Typography>;
  const view = drawn ? wanted : 'table';
  const name = figure.title || title;
  const save = () => imageOf(figure, dark).then((url) => saveUrl(url, fileNameOf(question || name, 'chart', 'png')))
    .catch((error: unknown) => void enqueueSnackbar(`No PNG: ${messageOf(error)}`, { variant: 'error' }));
  return (
    <Box sx={{ my: 1.5, border: 1, borderColor: 'divider', borderRadius: 1, p: 1, minWidth: 0 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 1 }}>
        <ToggleButtonGroup size="small" exclusive value={view} aria-label={`Show: ${name}`} onChange={(_e, next: View | null) => next && setWanted(next)}>
          <ToggleButton value="chart" disabled={!drawn} sx={{ py: 0.25 }}>Chart</ToggleButton>
          <ToggleButton value="table" sx={{ py: 0.25 }}>Table</ToggleButton>
        </ToggleButtonGroup>
        {drawn && <Button size="small" startIcon={<Download />} onClick={() => void save()} sx={{ ml: 'auto' }}>PNG</Button>}
      </Box>
      {figure.title && <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{figure.title}</Typography>}
      <Box ref={measure}>
        {view === 'chart' && width > 0 && <PlotlyChart key={String(dark)} figure={figure} label={`Chart: ${name}`} width={width} />}
      </Box>
      {view === 'table' && <ResultGrid rows={rows} label={name} />}
      {figure.left.map((sentence) => (
        <Typography key={sentence} variant="caption" component="p" color="textSecondary">{sentence}</Typography>
      ))}
    </Box>
  );
}
