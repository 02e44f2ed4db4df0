import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import type { View } from 'vega';
import type { VisualizationSpec } from 'vega-embed';
import { messageOf } from '../../api/errors';
import { useDark } from '../../hooks/useDark';
import { chartTheme } from '../../theme/chartColors';
import { drawVega } from '../../utils/drawVega';

interface VegaChartProps {
  spec: VisualizationSpec;
  label: string;
  onReady: (view: View | null) => void;
}

/** More marks are drawn as pixels: each one is an element otherwise. */
const ELEMENTS_MOST = 2000;

function config(dark: boolean) {
  const { ink, line, series } = chartTheme(dark);
  const axis = {
    labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line, labelSeparation: 8,
  };
  return {
    background: 'transparent',
    axis,
    legend: { labelColor: ink, titleColor: ink },
    view: { stroke: 'transparent' },
    mark: { color: series[0] },
    range: { category: series },
    font: 'system-ui, sans-serif',
  };
}

function rendererOf(spec: VisualizationSpec): 'svg' | 'canvas' {
  const values = (spec as { data?: { values?: unknown[] } }).data?.values;
  return (values?.length ?? 0) > ELEMENTS_MOST ? 'canvas' : 'svg';
}

/** A chart of a Vega-Lite specification. */
export default function VegaChart({ spec, label, onReady }: VegaChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useDark();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    let shown: View | null = null;
    setFailure(null);
    drawVega({
      place: place.current!, spec, config: config(dark), renderer: rendererOf(spec), tooltips: dark ? 'dark' : 'light',
    }, gone.signal).then((view) => {
      shown = view;
      if (view) onReady(view);
    }, (error: unknown) => {
      if (!gone.signal.aborted) setFailure(messageOf(error));
    });
    return () => {
      gone.abort();
      onReady(null);
      shown?.finalize();
    };
  }, [spec, dark, onReady]);
  return (
    <>
      <Box role="img" aria-label={label} hidden={failure !== null} sx={{ maxWidth: '100%', overflowX: 'auto' }}>
        <div ref={place} />
      </Box>
      {failure !== null && <Typography variant="body2" color="textSecondary">The chart cannot be drawn: {failure}</Typography>}
    </>
  );
}
