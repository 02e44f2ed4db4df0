import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCallback, useMemo, useState } from 'react';
import type { BoardCard } from '../../api/types';
import { choiceOfCard, rowsOfCard } from '../../utils/cardChart';
import { chartData } from '../../utils/chartData';
import { chartSpec } from '../../utils/chartSpec';
import { sortRows, type Order, nextOrder } from '../../utils/filterRows';
import { countText } from '../../utils/rows';
import type { Units } from '../../utils/units';
import { RowsTable } from '../results/RowsTable';
import VegaChart from '../results/VegaChart';

const HEIGHT = 260;
const ignore = () => undefined;

/** The rows of a card: a chart, or a table. */
export default function CardBody({ card, asTable, units }: { card: BoardCard; asTable: boolean; units: Units }) {
  const rows = useMemo(() => rowsOfCard(card, units), [card, units]);
  const choice = useMemo(() => rows && choiceOfCard(rows, card.chart), [rows, card.chart]);
  const data = useMemo(() => rows && choice && chartData(rows, choice), [rows, choice]);
  const [width, setWidth] = useState(0);
  const measure = useCallback((box: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setWidth(Math.max(200, box.clientWidth - 8)));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const spec = useMemo(() => (data && choice && width > 0 ? chartSpec(data, choice, width, HEIGHT) : null), [data, choice, width]);
  const [order, setOrder] = useState<Order | null>(null);
  const sorted = useMemo(() => (rows && order ? sortRows(rows.rows, order) : rows?.rows ?? []), [rows, order]);
  if (!rows) return <Typography variant="body2" color="textSecondary">It has no rows.</Typography>;
  if (choice && data && !asTable)
    return (
      <>
        <Box ref={measure} sx={{ overflowX: 'clip', minHeight: HEIGHT }}>
          {spec && <VegaChart spec={spec} label={`${data.mark} chart of ${choice.y.name} by ${choice.x.name}: ${card.title}`} onReady={ignore} />}
        </Box>
        {data.notes.length > 0 && <Typography variant="caption" color="textSecondary" component="p">{data.notes.join(' ')}</Typography>}
      </>
    );
  return (
    <>
      <RowsTable id={`rows-${card.id}`} columns={rows.columns} rows={sorted} label={card.title} order={order}
        onOrder={(column) => setOrder(nextOrder(order, column))} />
      <Typography variant="caption" color="textSecondary" component="p">{countText(rows)}</Typography>
    </>
  );
}
