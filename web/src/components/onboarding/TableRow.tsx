import ExpandMore from '@mui/icons-material/ExpandMore';
import Key from '@mui/icons-material/Key';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { memo, useState } from 'react';
import type { CatalogTable } from '../../api/types';
import { useColumns, type Place } from '../../hooks/useCatalog';
import { ErrorCard } from '../common/ErrorCard';

function Columns({ place, schema, table }: { place: Place; schema: string; table: string }) {
  const columns = useColumns(place, schema, table);
  if (columns.error) return <ErrorCard title="No columns" error={columns.error} onRetry={() => void columns.refetch()} />;
  if (!columns.data) return <Skeleton variant="rounded" height={60} />;
  return (
    <Box component="ul" aria-label={`Columns of ${table}`} sx={{ m: 0, mb: 1, pl: 6, listStyle: 'none' }}>
      {columns.data.map((column) => (
        <Box component="li" key={column.name} sx={{ display: 'flex', gap: 1, alignItems: 'center', py: 0.25 }}>
          <Typography variant="body2">{column.name}</Typography>
          {column.isPrimaryKey && <Key titleAccess="primary key" sx={{ fontSize: 16, color: 'text.secondary' }} />}
          <Typography variant="body2" color="textSecondary" noWrap>
            {column.dataType}{column.nullable ? '' : ', not null'}{column.comment ? ` · ${column.comment}` : ''}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

function described(table: CatalogTable): string {
  const parts = table.type === 'table' ? [] : [table.type as string];
  if (table.estimatedRows !== null) parts.push(`about ${table.estimatedRows.toLocaleString('en-US')} rows`);
  if (!table.readable) parts.push('may not be read');
  if (table.comment) parts.push(table.comment);
  return parts.join(' · ');
}

interface TableRowProps {
  place: Place;
  schema: string;
  table: CatalogTable;
  chosen: boolean;
  onChoose: (table: string, on: boolean) => void;
}

/** A table with a checkbox and its columns. */
export const TableRow = memo(function TableRow({ place, schema, table, chosen, onChoose }: TableRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <Box component="li" sx={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 38px' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', minWidth: 0 }}>
        <Checkbox size="small" checked={chosen} disabled={!table.readable}
          onChange={(e) => onChoose(table.name, e.target.checked)}
          slotProps={{ input: { 'aria-label': `${schema}.${table.name}` } }} />
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>{table.name}</Typography>
        <Typography variant="body2" color="textSecondary" noWrap sx={{ ml: 1, flex: 1, minWidth: 0 }}>{described(table)}</Typography>
        <IconButton size="small" aria-expanded={open} aria-label={`Columns of ${schema}.${table.name}`} onClick={() => setOpen(!open)}>
          <ExpandMore fontSize="small" sx={{ transform: open ? 'rotate(180deg)' : 'none' }} />
        </IconButton>
      </Box>
      {open && <Columns place={place} schema={schema} table={table.name} />}
    </Box>
  );
});
