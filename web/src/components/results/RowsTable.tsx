import Box from '@mui/material/Box';
import TableSortLabel from '@mui/material/TableSortLabel';
import { memo, useEffect, useMemo, useRef } from 'react';
import { useRowWindow } from '../../hooks/useRowWindow';
import type { Order } from '../../utils/filterRows';
import { EMPTY, formatCell, type Column, type Row } from '../../utils/rows';

const ROW = 32;
const BOX = 420;
const SAMPLE = 100;
/** Column widths, in multiples of the width of a digit. */
const [NARROWEST, WIDEST] = [8, 44];

interface RowsTableProps {
  id: string;
  columns: Column[];
  rows: Row[];
  label: string;
  order: Order | null;
  onOrder: (column: Column) => void;
  /** Called when the reader reaches the last row. */
  onEnd?: () => void;
}

/** Fixed column widths, so that columns do not change while the reader scrolls. */
function widthOf(column: Column, rows: Row[]): number {
  const lengths = rows.slice(0, SAMPLE).map((row) => (row[column.name] === null ? EMPTY : formatCell(row[column.name], column.kind, column)).length);
  return Math.min(WIDEST, Math.max(NARROWEST, column.name.length + 3, ...lengths) + 2);
}

const SX = {
  overflow: 'auto', maxHeight: BOX, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper',
  '& table': { borderCollapse: 'separate', borderSpacing: 0, tableLayout: 'fixed', minWidth: '100%', fontSize: 14 },
  '& th, & td': { height: ROW, px: 1, py: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', textAlign: 'left', borderBottom: 1, borderColor: 'divider' },
  '& th': { position: 'sticky', top: 0, zIndex: 1, bgcolor: 'background.paper', fontWeight: 600 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& .none': { color: 'text.secondary', fontStyle: 'italic' },
  '& .spare td': { p: 0, border: 0 },
  '& tbody tr:last-child td': { borderBottom: 0 },
  '& tbody tr:hover td': { bgcolor: 'action.hover' },
} as const;

interface BodyProps {
  columns: Column[];
  rows: Row[];
  from: number;
}

const Body = memo(function Body({ columns, rows, from }: BodyProps) {
  return rows.map((row, i) => (
    <tr key={from + i} aria-rowindex={from + i + 2}>
      {columns.map((column) => {
        const { name, kind } = column;
        if (row[name] === null) return <td key={name} className={kind === 'number' ? 'number none' : 'none'}>{EMPTY}</td>;
        const text = formatCell(row[name], kind, column);
        return <td key={name} className={kind === 'number' ? 'number' : undefined} title={text.length > 20 ? text : undefined}>{text}</td>;
      })}
    </tr>
  ));
});

/** A table of any length in a scrolling box. Only the visible rows are rendered. */
export function RowsTable({ id, columns, rows, label, order, onOrder, onEnd }: RowsTableProps) {
  const { from, to, above, below, onScroll } = useRowWindow(rows.length, ROW, BOX);
  const widths = useMemo(() => columns.map((column) => widthOf(column, rows)), [columns, rows]);
  const shown = useMemo(() => rows.slice(from, to), [rows, from, to]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
  }, [order]);
  const scrolled = ({ currentTarget: it }: React.UIEvent<HTMLDivElement>) => {
    onScroll(it.scrollTop);
    if (it.scrollTop > 0 && it.scrollTop + it.clientHeight > it.scrollHeight - ROW) onEnd?.();
  };
  const spare = (height: number) =>
    height > 0 && <tr className="spare" aria-hidden><td colSpan={columns.length} style={{ height }} /></tr>;
  return (
    <Box ref={box} id={id} sx={SX} onScroll={scrolled} tabIndex={0} role="group" aria-label={`Rows: ${label}`}>
      <table aria-label={label} aria-rowcount={rows.length + 1} style={{ width: `${widths.reduce((a, b) => a + b, 0)}ch` }}>
        <colgroup>{columns.map(({ name }, i) => <col key={name} style={{ width: `${widths[i]}ch` }} />)}</colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const sorted = order?.column.name === column.name;
              const direction = sorted && order.down ? 'desc' : 'asc';
              return (
                <th key={column.name} scope="col" title={column.type ? `${column.name}: ${column.type}` : undefined}
                  className={column.kind === 'number' ? 'number' : undefined}
                  aria-sort={sorted ? (order.down ? 'descending' : 'ascending') : undefined}>
                  <TableSortLabel active={sorted} direction={direction} onClick={() => onOrder(column)}
                    sx={{ maxWidth: '100%', flexDirection: column.kind === 'number' ? 'row-reverse' : 'row' }}>
                    <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{column.name}</Box>
                  </TableSortLabel>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {spare(above)}
          <Body columns={columns} rows={shown} from={from} />
          {spare(below)}
        </tbody>
      </table>
    </Box>
  );
}
