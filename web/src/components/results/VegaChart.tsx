import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import embed, { type Result, type VisualizationSpec } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import { useDark } from '../../hooks/useDark';

interface VegaChartProps {
  spec: VisualizationSpec;
  label: string;
  onReady: (view: Result['view'] | null) => void;
}

function config(dark: boolean) {
  const ink = dark ? '#e6efed' : '#16211f';
  const line = dark ? '#3a4a47' : '#d9e2e0';
  const axis = {
    labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line,
  };
  return {
    background: 'transparent',
    axis,
    legend: { labelColor: ink, titleColor: ink },
    view: { stroke: 'transparent' },
    mark: { color: dark ? '#5eead4' : '#0f766e' },
    font: 'system-ui, sans-serif',
  };
}

/** Renders a Vega-Lite specification. The interpreter evaluates its expressions; none of it runs as code. */
export default function VegaChart({ spec, label, onReady }: VegaChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useDark();
  useEffect(() => {
    let result: Result | null = null;
    let gone = false;
    const options = {
      ast: true, expr: expressionInterpreter, actions: false, renderer: 'svg' as const,
      config: config(dark), tooltip: { theme: dark ? 'dark' : 'light' },
    };
    void embed(place.current!, spec, options).then((made) => {
      if (gone) return made.finalize();
      result = made;
      onReady(made.view);
    });
    return () => {
      gone = true;
      onReady(null);
      result?.finalize();
    };
  }, [spec, dark, onReady]);
  return (
    <Box role="img" aria-label={label} sx={{ maxWidth: '100%', overflowX: 'auto' }}>
      <div ref={place} />
    </Box>
  );
}
