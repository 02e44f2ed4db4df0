import Search from '@mui/icons-material/Search';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { messageOf } from '../../api/errors';
import type { useAllRows } from '../../hooks/useAllRows';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { FILTERED_FROM, filterRows, nextOrder, sortRows, type Order } from '../../utils/filterRows';
import { countText, formatCell, formatNumber, type Rows } from '../../utils/rows';
import { RowsTable } from './RowsTable';

interface ResultGridProps {
  rows: Rows;
  label: string;
  /** Set if the result has more rows than came with the answer. */
  all?: Omit<ReturnType<typeof useAllRows>, 'rows'>;
}

function time(at: number): string {
  return new Date(at).toLocaleTimeString();
}

/** The sums over all rows of a result that was cut. */
function TotalsLine({ rows: { columns, totals } }: { rows: Rows }) {
  const sums = columns.flatMap((column) => {
    const sum = totals?.sums.get(column.name);
    return sum === undefined ? [] : [`${column.name} ${formatCell(sum, 'number', { name: '', unit: column.unit })}`];
  });
  if (sums.length === 0) return null;
  return (
    <Typography variant="caption" component="p" sx={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}>
      Total of all{totals!.rows ? ` ${formatNumber(totals!.rows)}` : ''} rows: {sums.join('; ')}
    </Typography>
  );
}

function Notes({ rows, all, found }: Omit<ResultGridProps, 'label'> & { found: number }) {
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, minHeight: 32 }}>
        <Typography variant="caption" color="textSecondary" role="status">
          {countText(rows)}
          {found < rows.rows.length && `; ${found.toLocaleString('en-US')} of them match`}
          {rows.truncated && '. There are more in the database; the files have more of them.'}
          {all?.isLoading && ' Reading all rows…'}
          {all?.readAt && ` Read again at ${time(all.readAt)}.`}
        </Typography>
        {all?.hasMore && (
          <Button size="small" loading={all.isLoading} onClick={all.fetchAll}>Load all rows</Button>
        )}
      </Box>
      {(rows.truncated || rows.rows.length < rows.total) && <TotalsLine rows={rows} />}
      {all?.error && <Alert severity="error" variant="outlined">The other rows could not be read: {messageOf(all.error)}</Alert>}
    </>
  );
}

/** The rows of a step, with sorting, a filter and the true number of rows. */
export default function ResultGrid({ rows, label, all }: ResultGridProps) {
  const boxId = useId();
  const keep = useKeyboardKept(rows);
  const more = all && {
    ...all,
    fetchAll: () => {
      keep(boxId); // the button disappears when the rows have arrived
      all.fetchAll();
    },
  };
  const [order, setOrder] = useState<Order | null>(null);
  const [wanted, setWanted] = useState('');
  /** The order and the filter are those of all rows, not of the first ones. */
  const needAll = () => {
    if (all?.hasMore && !all.isLoading && !all.error) all.fetchAll();
  };
  const filter = useDeferredValue(wanted);
  const sorted = useMemo(() => sortRows(rows.rows, order), [rows.rows, order]);
  const shown = useMemo(() => filterRows(sorted, rows.columns, filter), [sorted, rows.columns, filter]);
  return (
    <Box>
      {rows.rows.length >= FILTERED_FROM && (
        <TextField size="small" type="search" placeholder="Filter: a word, or > 100" value={wanted} onChange={(e) => { setWanted(e.target.value); needAll(); }}
          sx={{ mb: 1, width: 260, maxWidth: '100%' }}
          slotProps={{
            htmlInput: { 'aria-label': `Filter the rows: ${label}` },
            input: { startAdornment: <InputAdornment position="start"><Search fontSize="small" /></InputAdornment> },
          }} />
      )}
      <RowsTable id={boxId} columns={rows.columns} rows={shown} label={label} order={order}
        onOrder={(column) => { setOrder(nextOrder(order, column)); needAll(); }}
        onEnd={all?.hasMore && !all.isLoading && !all.error ? all.fetchAll : undefined} />
      <Notes rows={rows} all={more} found={shown.length} />
    </Box>
  );
}
