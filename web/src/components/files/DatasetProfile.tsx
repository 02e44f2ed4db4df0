import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useId, useMemo, useState } from 'react';
import type { Dataset, DatasetTable } from '../../api/types';
import { useDatasetTables } from '../../hooks/useDatasets';
import { columnRows, describeTable, sampleRows } from '../../utils/fileTables';
import { nextOrder, sortRows, type Order } from '../../utils/filterRows';
import type { Rows } from '../../utils/rows';
import { ErrorCard } from '../common/ErrorCard';
import { Fold } from '../common/Fold';
import { RowsTable } from '../results/RowsTable';

/** Rows that came whole: sorted here, without a filter. */
function Sorted({ rows, label }: { rows: Rows; label: string }) {
  const [order, setOrder] = useState<Order | null>(null);
  const sorted = useMemo(() => sortRows(rows.rows, order), [rows, order]);
  return (
    <RowsTable id={useId()} columns={rows.columns} rows={sorted} label={label} order={order}
      onOrder={(column) => setOrder(nextOrder(order, column))} />
  );
}

function Table({ table }: { table: DatasetTable }) {
  const columns = useMemo(() => columnRows(table), [table]);
  const sample = useMemo(() => sampleRows(table), [table]);
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {table.notes.length > 0 && (
        <Alert severity="info">
          {table.notes.length === 1 ? table.notes[0] : (
            <Box component="ul" sx={{ m: 0, pl: 2 }}>{table.notes.map((note, i) => <li key={i}>{note}</li>)}</Box>
          )}
        </Alert>
      )}
      <Sorted rows={columns} label={`Columns of ${table.table_name}`} />
      {sample.rows.length > 0 && (
        <>
          <Typography variant="subtitle2" component="p">
            The first {sample.rows.length === 1 ? 'row' : `${sample.rows.length} rows`}
            {sample.columns.length < table.columns.length && `, ${sample.columns.length} of ${table.columns.length} columns`}
          </Typography>
          <Sorted rows={sample} label={`First rows of ${table.table_name}`} />
        </>
      )}
    </Box>
  );
}

/** What was found in the files: tables, columns with their values, the first rows. */
export function DatasetProfile({ dataset }: { dataset: Dataset }) {
  const { data, error, refetch } = useDatasetTables(dataset.id);
  if (error) return <ErrorCard title="The profile could not be read" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton variant="rounded" height={240} />;
  return data.map((table, i) => (
    <Fold key={table.table_name} level={3} framed open={i === 0}
      title={
        <>
          <Typography variant="body2" component="span" noWrap sx={{ fontWeight: 600, flexShrink: 0, maxWidth: '60%' }}>{table.table_name}</Typography>
          <Typography variant="caption" component="span" color="textSecondary" noWrap sx={{ minWidth: 0 }}>{describeTable(table)}</Typography>
        </>
      }>
      <Table table={table} />
    </Fold>
  ));
}
