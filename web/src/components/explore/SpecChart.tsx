import Close from '@mui/icons-material/Close';
import Download from '@mui/icons-material/Download';
import Fullscreen from '@mui/icons-material/Fullscreen';
import Alert from '@mui/material/Alert';
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
import type { LocalResult } from '../../utils/disclosure';
import { saveUrl } from '../../utils/save';
import { asType, chartTypeOf, drawn, readSpec, TYPE_NAMES, typesFor, type ChartType } from '../../utils/vegaSpec';
import VegaChart from '../results/VegaChart';

interface SpecChartProps {
  title: string;
  chartType: unknown;
  /** As the model wrote it. */
  spec: unknown;
  result: LocalResult;
  /** As the person wants it; absent: as the model wrote it. */
  type?: ChartType;
  onType: (type: ChartType) => void;
}

const HEIGHT = 280;

/** A chart of the explorer, drawn from rows in this browser: other kinds, full screen, PNG and SVG. */
export function SpecChart({ title, chartType, spec, result, type: wanted, onType }: SpecChartProps) {
  const read = useMemo(() => {
    try {
      return { spec: readSpec(spec), error: null };
    } catch (error) {
      return { spec: null, error: error instanceof Error ? error.message : String(error) };
    }
  }, [spec]);
  const first = chartTypeOf(chartType);
  const type = wanted ?? first;
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
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const measure = useCallback((box: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setRoom({ width: Math.max(240, box.clientWidth - 8), height: Math.max(200, box.clientHeight - 8) }));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const { width } = room;
  const height = full ? room.height : HEIGHT;
  const shown = useMemo(() => {
    if (!read.spec || width === 0) return null;
    return drawn(asType(read.spec, first, type), result, width, height, full);
  }, [read.spec, type, first, result, width, height, full]);
  if (!read.spec) return <Alert severity="warning" variant="outlined">The chart "{title}" is not drawn: {read.error}</Alert>;

  const save = async (kind: 'png' | 'svg') => {
    if (view.current) saveUrl(await view.current.toImageURL(kind, 2), `chart.${kind}`);
  };
  const label = `${TYPE_NAMES[type]} chart: ${title}`;
  const types = typesFor(read.spec, first);
  const body = (
    <Box sx={full ? { height: '100%', display: 'flex', flexDirection: 'column' } : undefined}>
      <Typography variant="subtitle2" component="h3" sx={{ overflowWrap: 'anywhere' }}>{title}</Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', my: 1 }}>
        {types.length > 1 && (
          <ToggleButtonGroup size="small" exclusive value={type} aria-label="Kind of chart" onChange={(_e, next: ChartType | null) => next && onType(next)}>
            {types.map((kind) => <ToggleButton key={kind} value={kind} sx={{ py: 0.25 }}>{TYPE_NAMES[kind]}</ToggleButton>)}
          </ToggleButtonGroup>
        )}
        <Box className="no-print" sx={{ display: 'flex', alignItems: 'center', ml: 'auto' }}>
          <Button size="small" startIcon={<Download />} onClick={() => void save('png')}>PNG</Button>
          <Button size="small" startIcon={<Download />} onClick={() => void save('svg')}>SVG</Button>
          <Tooltip title={full ? 'Close' : 'Full screen'}>
            <IconButton id={full ? undefined : fullId} size="small" aria-label={full ? 'Close' : 'Full screen'} onClick={full ? close : () => setFull(true)}>
              {full ? <Close /> : <Fullscreen />}
            </IconButton>
          </Tooltip>
        </Box>
      </Box>
      <Box ref={measure} sx={full ? { flex: 1, minHeight: 0, overflow: 'auto' } : { overflowX: 'auto' }} tabIndex={0} role="group" aria-label={`Chart: ${title}`}>
        {shown && <VegaChart spec={shown} label={label} onReady={onReady} />}
      </Box>
      {result.truncated && <Typography variant="caption" color="textSecondary">Drawn from the first {result.rows.length.toLocaleString('en-US')} rows of the result.</Typography>}
    </Box>
  );
  if (!full) return body;
  return (
    <Dialog open fullScreen onClose={close} slotProps={{ paper: { 'aria-label': label } }}>
      <DialogContent>{body}</DialogContent>
    </Dialog>
  );
}
