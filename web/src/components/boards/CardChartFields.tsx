import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { CardChart } from '../../api/types';
import { cardChartOf, choiceOfCard, suggestedChart } from '../../utils/cardChart';
import { choiceOf, type Mark } from '../../utils/chartChoice';
import type { Rows } from '../../utils/rows';
import { ChartPickers, type Picked } from '../results/ChartPickers';

const KINDS: [Mark | '', string][] = [['', 'Table only'], ['bar', 'Bars'], ['line', 'Lines'], ['area', 'Areas'], ['point', 'Points']];

interface CardChartFieldsProps {
  rows: Rows;
  chart: CardChart | null;
  onChart: (chart: CardChart | null) => void;
}

/** How a card draws its rows. */
export function CardChartFields({ rows, chart, onChart }: CardChartFieldsProps) {
  const first = suggestedChart(rows);
  const choice = choiceOfCard(rows, chart);
  if (!first) return null;
  const setMark = (mark: Mark | '') => onChart(mark === '' ? null : { ...(chart ?? first), mark });
  const pick = (picked: Picked) => {
    if (!choice) return;
    const named = (name: string | undefined) => rows.columns.find((column) => column.name === name);
    const x = named(picked.x) ?? choice.x;
    const series = picked.series === undefined ? choice.series : named(picked.series) ?? null;
    onChart(cardChartOf(choiceOf(rows, x, named(picked.y) ?? choice.y, series === x ? null : series, choice.mark)));
  };
  return (
    <>
      <TextField select fullWidth margin="normal" label="Show as" value={choice?.mark ?? ''} onChange={(e) => setMark(e.target.value as Mark | '')}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}>
        {KINDS.map(([mark, name]) => <MenuItem key={mark} value={mark}>{name}</MenuItem>)}
      </TextField>
      {choice && <ChartPickers rows={rows} choice={choice} onPick={pick} />}
    </>
  );
}
