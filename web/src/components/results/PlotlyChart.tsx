import Box from '@mui/material/Box';
import Plotly from 'plotly.js-basic-dist-min';
import { useEffect, useRef } from 'react';
import { useDark } from '../../hooks/useDark';
import type { Figure } from '../../utils/plotlyFigure';
import { themedData, themedLayout } from '../../utils/plotlyTheme';

/** Nothing of it may load, link, or be edited. */
const CONFIG = {
  displayModeBar: false, displaylogo: false, showLink: false, sendData: false, plotlyServerURL: '', topojsonURL: '', editable: false, showTips: false,
};

interface PlotlyChartProps {
  figure: Figure;
  label: string;
  width: number;
}

/** The chart as a PNG, on the page's background. */
export function imageOf(figure: Figure, dark: boolean): Promise<string> {
  const layout = themedLayout(figure, dark, { width: 1000, alone: true });
  return Plotly.toImage({ data: themedData(figure, dark), layout, config: CONFIG }, { format: 'png', width: 1000, height: Number(layout.height), scale: 2 });
}

/** Draws a figure that was read by readFigure. */
export default function PlotlyChart({ figure, label, width }: PlotlyChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const dark = useDark();
  useEffect(() => {
    const here = place.current!;
    // Plotly changes what it gets.
    const { data, layout } = structuredClone({ data: themedData(figure, dark), layout: themedLayout(figure, dark, { width }) });
    Plotly.react(here, data, layout, CONFIG).catch(() => {
      here.textContent = 'The chart cannot be drawn. Its values are in the table.';
    });
  }, [figure, dark, width]);
  useEffect(() => {
    const here = place.current!;
    return () => Plotly.purge(here);
  }, []);
  return <Box role="img" aria-label={label} sx={{ maxWidth: '100%', overflowX: 'clip' }}><div ref={place} /></Box>;
}
