import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { Column, Rows } from '../../utils/rows';
import { isMeasure, seriesColumns, type ChartChoice } from '../../utils/chartChoice';

interface PickerProps {
  label: string;
  value: string;
  options: Column[];
  /** The label of "no column"; absent: one must be chosen. */
  none?: string;
  onPick: (name: string) => void;
}

function Picker({ label, value, options, none, onPick }: PickerProps) {
  if (options.length + (none ? 1 : 0) < 2) return null;
  return (
    <TextField select size="small" label={label} value={value} onChange={(e) => onPick(e.target.value)}
      sx={{ minWidth: 120, maxWidth: 220 }} slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}>
      {none && <MenuItem value="">{none}</MenuItem>}
      {options.map(({ name }) => <MenuItem key={name} value={name}>{name}</MenuItem>)}
    </TextField>
  );
}

export interface Picked {
  x?: string;
  y?: string;
  /** '': none */
  series?: string;
}

interface ChartPickersProps {
  rows: Rows;
  choice: ChartChoice;
  onPick: (picked: Picked) => void;
}

/** What is drawn: the measure, along which column, and in which series. */
export function ChartPickers({ rows, choice: { x, y, series }, onPick }: ChartPickersProps) {
  const measures = rows.columns.filter((c) => isMeasure(c) || c === y);
  return (
    <Box role="group" aria-label="What the chart shows" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1, mb: 1.5 }}>
      <Picker label="Measure" value={y.name} options={measures.filter((c) => c !== x)} onPick={(name) => onPick({ y: name })} />
      <Picker label="By" value={x.name} options={rows.columns.filter((c) => c !== y)} onPick={(name) => onPick({ x: name })} />
      <Picker label="Series" value={series?.name ?? ''} none="None" options={seriesColumns(rows, x)} onPick={(name) => onPick({ series: name })} />
    </Box>
  );
}
