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
import { chartData } from '../../utils/chartData';
import { choiceOf, chooseChart, markAsked, type ChartChoice, type Mark } from '../../utils/chartChoice';
import { chartSpec, zooms } from '../../utils/chartSpec';
import { coverageOf } from '../../utils/periods';
import type { useAllRows } from '../../hooks/useAllRows';
import { messageOf } from '../../api/errors';
import { useAnswer } from './answerContext';
import { ChartPickers, type Picked } from './ChartPickers';
import { fileNameOf } from '../../utils/fileNames';
import { saveUrl } from '../../utils/save';
import { countText, type Rows } from '../../utils/rows';
import VegaChart from './VegaChart';
import { ZoomButtons } from './ZoomButtons';

const MARKS: Mark[] = ['bar', 'line', 'area', 'point'];

interface ChartCardProps {
  rows: Rows;
  title: string;
  /** Set if the result has more rows than came with the answer. */
  all?: Omit<ReturnType<typeof useAllRows>, 'rows'>;
}

/** What the reader picked, or else what the plan and the question name. */
function useChoice(rows: Rows): { choice: ChartChoice | null; pick: (picked: Picked) => void; setMark: (mark: Mark) => void } {
  const { plan, question } = useAnswer();
  const [picked, setPicked] = useState<Picked>({});
  const [mark, setMark] = useState<Mark | null>(null);
  const choice = useMemo(() => {
    const first = chooseChart(rows, { metrics: plan?.metrics, mark: markAsked(question) });
    if (!first) return null;
    const named = (name: string | undefined) => rows.columns.find((c) => c.name === name);
    const x = named(picked.x) ?? first.x;
    const series = picked.series === '' ? null : named(picked.series) ?? (x === first.x ? first.series : undefined);
    const y = named(picked.y) ?? first.y;
    return choiceOf(rows, x, y, series === x ? null : series, mark ?? (x === first.x ? first.mark : null));
  }, [rows, plan, question, picked, mark]);
  const pick = useCallback((more: Picked) => setPicked((before) => ({ ...before, ...more })), []);
  return { choice, pick, setMark };
}

function Notes({ rows, notes, all }: Pick<ChartCardProps, 'rows' | 'all'> & { notes: string[] }) {
  const part = rows.truncated || rows.rows.length < rows.total;
  return (
    <Typography variant="caption" color="textSecondary" component="p" role="status" sx={{ minHeight: 20 }}>
      {[
        ...notes,
        all?.isLoading ? 'Reading all rows…' : part && !all?.readAt ? `Drawn from ${countText(rows)}.` : '',
        all?.readAt ? `Drawn from ${countText(rows)}, read again at ${new Date(all.readAt).toLocaleTimeString()}.` : '',
        all?.error ? `The other rows could not be read: ${messageOf(all.error)}` : '',
      ].filter(Boolean).join(' ')}
    </Typography>
  );
}

/** A chart of a step's rows, with other kinds, columns, full screen, PNG and SVG. */
export default function ChartCard({ rows, title, all }: ChartCardProps) {
  const { plan, answeredAt, question } = useAnswer();
  const { choice, pick, setMark } = useChoice(rows);
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
  const data = useMemo(() => choice && chartData(rows, choice, {
    grain: plan?.grain ?? '', coverage: plan || answeredAt ? coverageOf(plan, answeredAt) : null,
  }), [rows, choice, plan, answeredAt]);
  const spec = useMemo(
    () => data && choice && width > 0 && chartSpec(data, choice, width, full ? 480 : 280),
    [data, choice, width, full],
  );
  if (!choice || !data) return null;
  const shown = choice.mark;

  const save = async (type: 'png' | 'svg') => {
    if (view.current) saveUrl(await view.current.toImageURL(type, 2), fileNameOf(question || title, 'chart', type));
  };
  const label = `${shown} chart of ${choice.y.name} by ${choice.x.name}: ${title}`;
  const body = (
    <Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 1 }}>
        <ToggleButtonGroup size="small" exclusive value={shown} aria-label="Kind of chart"
          onChange={(_e, next: Mark | null) => next && setMark(next)}>
          {MARKS.map((m) => (
            <ToggleButton key={m} value={m} sx={{ py: 0.25 }}>{m}</ToggleButton>
          ))}
        </ToggleButtonGroup>
        {zooms(data) && <Box><ZoomButtons view={() => view.current} /></Box>}
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
      <ChartPickers rows={rows} choice={choice} onPick={pick} />
      <Box ref={measure} sx={{ overflowX: 'clip', minHeight: 280 }}>{spec && <VegaChart spec={spec} label={label} onReady={onReady} />}</Box>
      <Notes rows={rows} notes={data.notes} all={all?.hasMore || all?.readAt ? all : undefined} />
    </Box>
  );
  if (!full) return body;
  return (
    <Dialog open fullScreen onClose={close} slotProps={{ paper: { 'aria-label': label } }}>
      <DialogContent>{body}</DialogContent>
    </Dialog>
  );
}
