import Close from '@mui/icons-material/Close';
import Download from '@mui/icons-material/Download';
import Fullscreen from '@mui/icons-material/Fullscreen';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { View } from 'vega';
import { useKeyboardBack } from '../../hooks/useKeyboardStays';
import { chartSpec, chooseChart, zooms, type Mark } from '../../utils/chartSpec';
import { saveUrl } from '../../utils/save';
import { countText, type Rows } from '../../utils/rows';
import VegaChart from './VegaChart';
import { ZoomButtons } from './ZoomButtons';

const MARKS: Mark[] = ['bar', 'line', 'area', 'point'];

interface ChartCardProps {
  rows: Rows;
  title: string;
}

/** A chart of a step's rows, with other kinds, full screen, PNG and SVG. */
export default function ChartCard({ rows, title }: ChartCardProps) {
  const first = useMemo(() => chooseChart(rows), [rows]);
  const [mark, setMark] = useState<Mark | null>(null);
  const [full, setFull] = useState(false);
  const fullId = useId();
  const left = useKeyboardBack(full, fullId);
  const close = () => {
    left.current = true;
    setFull(false);
  };
  const view = useRef<View | null>(null);
  const onReady = useCallback((ready: View | null) => {
    view.current = ready;
  }, []);
  const [width, setWidth] = useState(0);
  const measure = useCallback((box: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setWidth(Math.max(240, box.clientWidth - 8)));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const shown = mark ?? first?.mark ?? 'bar';
  const spec = useMemo(
    () => first && width > 0 && chartSpec(rows, { ...first, mark: shown }, width, full ? 480 : 280),
    [first, rows, shown, width, full],
  );
  if (!first) return null;

  const save = async (type: 'png' | 'svg') => {
    if (view.current) saveUrl(await view.current.toImageURL(type, 2), `chart.${type}`);
  };
  const label = `${shown} chart of ${first.y.name} by ${first.x.name}: ${title}`;
  const body = (
    <Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 1 }}>
        <ToggleButtonGroup size="small" exclusive value={shown} aria-label="Kind of chart"
          onChange={(_e, next: Mark | null) => next && setMark(next)}>
          {MARKS.map((m) => (
            <ToggleButton key={m} value={m} sx={{ py: 0.25 }}>{m}</ToggleButton>
          ))}
        </ToggleButtonGroup>
        {zooms(rows, { ...first, mark: shown }) && <Box><ZoomButtons view={() => view.current} /></Box>}
        <Box sx={{ display: 'flex', alignItems: 'center', ml: 'auto' }}>
          <Button size="small" startIcon={<Download />} onClick={() => void save('png')}>PNG</Button>
          <Button size="small" startIcon={<Download />} onClick={() => void save('svg')}>SVG</Button>
          <Tooltip title={full ? 'Close' : 'Full screen'}>
            <IconButton id={full ? undefined : fullId} size="small" aria-label={full ? 'Close' : 'Full screen'} onClick={full ? close : () => setFull(true)}>
              {full ? <Close /> : <Fullscreen />}
            </IconButton>
          </Tooltip>
        </Box>
      </Box>
      <Box ref={measure} sx={{ overflowX: 'clip' }}>{spec && <VegaChart spec={spec} label={label} onReady={onReady} />}</Box>
      {(rows.truncated || rows.rows.length < rows.total) && (
        <Typography variant="caption" color="textSecondary">Drawn from {countText(rows)}.</Typography>
      )}
    </Box>
  );
  if (!full) return body;
  return (
    <Dialog open fullScreen onClose={close} slotProps={{ paper: { 'aria-label': label } }}>
      <DialogContent>{body}</DialogContent>
    </Dialog>
  );
}
