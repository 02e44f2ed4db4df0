import TextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import type { BoardCard, CardChange } from '../../api/types';
import { rowsOf } from '../../utils/rows';
import { FormDialog } from '../common/FormDialog';
import { CardChartFields } from './CardChartFields';

interface EditCardProps {
  card: BoardCard;
  onSave: (change: CardChange) => Promise<unknown>;
  onClose: () => void;
}

/** Changes the title and the chart of a card. */
export default function EditCard({ card, onSave, onClose }: EditCardProps) {
  const [title, setTitle] = useState(card.title);
  const [chart, setChart] = useState(card.chart);
  const rows = useMemo(() => rowsOf(card.result as Parameters<typeof rowsOf>[0]), [card.result]);
  return (
    <FormDialog title="Title and chart" onClose={onClose} onSave={() => onSave({ title: title.trim(), chart })}>
      <TextField fullWidth required label="Title of the card" value={title} onChange={(e) => setTitle(e.target.value)}
        slotProps={{ htmlInput: { maxLength: 500 } }} />
      {rows && <CardChartFields rows={rows} chart={chart} onChart={setChart} />}
    </FormDialog>
  );
}
