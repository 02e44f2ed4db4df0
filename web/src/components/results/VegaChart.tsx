import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import embed, { type Result, type VisualizationSpec } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { messageOf } from '../../api/errors';
import { useDark } from '../../hooks/useDark';
import { chartTheme } from '../../theme/chartColors';

interface VegaChartProps {
  spec: VisualizationSpec;
  label: string;
  onReady: (view: Result['view'] | null) => void;
}

/** More marks are drawn as pixels: each one is an element otherwise. */
const ELEMENTS_MOST = 2000;
/** Charts have their data with them, and load nothing. */
const loader = {
  load: () => Promise.reject(new Error('Charts load nothing.')),
  sanitize: () => Promise.reject(new Error('Charts load nothing.')),
  http: () => Promise.reject(new Error('Charts load nothing.')),
  file: () => Promise.reject(new Error('Charts load nothing.')),
};

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

/** Renders a Vega-Lite specification. The interpreter evaluates its expressions; none of it runs as code. */
export default function VegaChart({ spec, label, onReady }: VegaChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useDark();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    let result: Result | null = null;
    let gone = false;
    const options = {
      ast: true, expr: expressionInterpreter, actions: false, renderer: rendererOf(spec), loader,
      config: config(dark), tooltip: { theme: dark ? 'dark' : 'light' },
    };
    setFailure(null);
    embed(place.current!, spec, options).then((made) => {
      if (gone) return made.finalize();
      result = made;
      onReady(made.view);
    }, (error: unknown) => {
      if (!gone) setFailure(messageOf(error));
    });
    return () => {
      gone = true;
      onReady(null);
      result?.finalize();
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
