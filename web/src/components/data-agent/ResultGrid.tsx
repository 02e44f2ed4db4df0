import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { DataGrid, type GridColDef } from '@mui/x-data-grid';
import { useMemo } from 'react';
import {
  compareNumbers, countText, formatCell, type Cell, type Column, type Rows,
} from '../../utils/rows';

interface Entry {
  id: number;
  cells: Cell[];
}

function definition(column: Column, index: number): GridColDef<Entry, Cell> {
  const numeric = column.kind === 'number';
  return {
    field: String(index),
    headerName: column.name,
    description: column.type ? `${column.name}: ${column.type}` : column.name,
    align: numeric ? 'right' : 'left',
    headerAlign: numeric ? 'right' : 'left',
    minWidth: 90,
    flex: 1,
    // DataGrid's own number type goes through floating point.
    type: 'string',
    valueGetter: (_value, entry) => entry.cells[index] ?? null,
    valueFormatter: (value) => formatCell(value, column.kind),
    ...(numeric ? { sortComparator: compareCells } : {}),
  };
}

function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareNumbers(a, b);
}

/** The rows of a step: to sort, to filter, with how many there are in truth. */
export default function ResultGrid({ rows, label }: { rows: Rows; label: string }) {
  const columns = useMemo(() => rows.columns.map(definition), [rows.columns]);
  const entries = useMemo(
    () => rows.rows.map((row, id) => ({ id, cells: rows.columns.map((c) => row[c.name] ?? null) })),
    [rows],
  );
  const tall = entries.length > 12;
  return (
    <Box>
      <Box sx={{ height: tall ? 420 : 'auto', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <DataGrid
          rows={entries}
          columns={columns}
          density="compact"
          hideFooter={entries.length <= 100}
          disableRowSelectionOnClick
          aria-label={label}
          initialState={{ pagination: { paginationModel: { pageSize: 100 } } }}
          pageSizeOptions={[100]}
        />
      </Box>
      <Typography variant="caption" color="textSecondary">
        {countText(rows)}
        {rows.truncated && '. The query gave more than is fetched; the files have more of it.'}
      </Typography>
    </Box>
  );
}
