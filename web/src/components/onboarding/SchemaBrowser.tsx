import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { CatalogSchema } from '../../api/types';
import { useTables, type Place } from '../../hooks/useCatalog';
import {
  chooseSchema, chooseTable, isChosen, type TableChoice,
} from '../../utils/tableChoice';
import { ErrorCard } from '../common/ErrorCard';
import { Fold } from '../common/Fold';
import { TableRow } from './TableRow';

const SHOWN_MOST = 200;

type Change = (change: (before: TableChoice) => TableChoice) => void;

interface SchemaProps {
  place: Place;
  schema: CatalogSchema;
  choice: TableChoice;
  onChange: Change;
}

function Tables({ place, schema, choice, onChange }: SchemaProps) {
  const tables = useTables(place, schema.name);
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const names = useMemo(() => (tables.data ?? []).filter((t) => t.readable).map((t) => t.name), [tables.data]);
  const onChoose = useCallback(
    (table: string, on: boolean) => onChange((before) => chooseTable(before, schema.name, table, on, names)),
    [names, onChange, schema.name],
  );
  if (tables.error) return <ErrorCard title="The tables could not be read" error={tables.error} onRetry={() => void tables.refetch()} />;
  if (!tables.data) return <Skeleton variant="rounded" height={120} />;
  const found = tables.data.filter((table) => table.name.toLowerCase().includes(wanted));
  return (
    <>
      {tables.data.length > 10 && (
        <TextField size="small" fullWidth type="search" placeholder="Search tables" value={search} sx={{ mb: 1 }}
          onChange={(e) => setSearch(e.target.value)} slotProps={{ htmlInput: { 'aria-label': `Search tables of ${schema.name}` } }} />
      )}
      <Box component="ul" aria-label={`Tables of ${schema.name}`} sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {found.slice(0, SHOWN_MOST).map((table) => (
          <TableRow key={table.name} place={place} schema={schema.name} table={table}
            chosen={table.readable && isChosen(choice, schema.name, table.name)} onChoose={onChoose} />
        ))}
      </Box>
      {found.length > SHOWN_MOST && (
        <Typography variant="body2" color="textSecondary">
          {(found.length - SHOWN_MOST).toLocaleString('en-US')} more: search for them.
        </Typography>
      )}
    </>
  );
}

function Schema(props: SchemaProps & { open: boolean }) {
  const { schema, choice, onChange, open } = props;
  const chosen = choice.get(schema.name);
  return (
    <Paper variant="outlined" sx={{ display: 'flex', alignItems: 'flex-start', pl: 1 }}>
      <Checkbox size="small" checked={chosen === 'all'} indeterminate={chosen !== undefined && chosen !== 'all'}
        onChange={() => onChange((before) => chooseSchema(before, schema.name, chosen !== 'all'))}
        slotProps={{ input: { 'aria-label': `All of ${schema.name}` } }} />
      <Box sx={{ flex: 1, minWidth: 0, pr: 1 }}>
        <Fold level={2} open={open} title={
          <>
            <Typography sx={{ fontWeight: 600 }}>{schema.name}</Typography>
            <Typography variant="body2" color="textSecondary" noWrap>
              {schema.tableCount} {schema.tableCount === 1 ? 'table' : 'tables'}{schema.comment ? ` · ${schema.comment}` : ''}
            </Typography>
          </>
        }>
          <Tables {...props} />
        </Fold>
      </Box>
    </Paper>
  );
}

interface SchemaBrowserProps {
  place: Place;
  schemas: CatalogSchema[];
  choice: TableChoice;
  onChange: Change;
}

/** A tree of schemas, tables and columns with checkboxes. */
export function SchemaBrowser({ schemas, ...rest }: SchemaBrowserProps) {
  return (
    <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {schemas.map((schema) => (
        <Schema key={schema.name} schema={schema} open={schemas.length === 1} {...rest} />
      ))}
    </Box>
  );
}
