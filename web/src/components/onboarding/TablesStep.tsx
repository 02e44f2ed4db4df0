import Alert from '@mui/material/Alert';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useState } from 'react';
import type { CatalogSchema, Connection } from '../../api/types';
import { useDatabases, useSchemas, useTableNames, type Place } from '../../hooks/useCatalog';
import { useConnectionTest } from '../../hooks/useConnections';
import { countChosen, selectionOf, type Selection, type TableChoice } from '../../utils/tableChoice';
import { ErrorCard } from '../common/ErrorCard';
import { TestResult } from '../data/TestResult';
import { BuildForm, type BuildWishes } from './BuildForm';
import { SchemaBrowser } from './SchemaBrowser';

export type BuildOrder = Selection & BuildWishes & { connectionId: string; databaseName: string };

interface StepProps {
  onBuild: (order: BuildOrder) => Promise<void>;
}

function DatabaseSelect({ id, value, onChange }: { id: string; value: string; onChange: (db: string) => void }) {
  const { data = [] } = useDatabases(id);
  if (data.length < 2) return null;
  return (
    <TextField select size="small" label="Database" value={value} onChange={(e) => onChange(e.target.value)} sx={{ maxWidth: 360 }}>
      {data.map((db) => <MenuItem key={db.name} value={db.name}>{db.name}</MenuItem>)}
    </TextField>
  );
}

/** The initial choice: all schemas that have tables. */
function useChoice(schemas: CatalogSchema[] | undefined) {
  const [choice, setChoice] = useState<TableChoice>(new Map());
  useEffect(() => {
    setChoice(new Map((schemas ?? []).filter((s) => s.tableCount > 0).map((s) => [s.name, 'all'])));
  }, [schemas]);
  return [choice, setChoice] as const;
}

function Choose({ place, onBuild }: StepProps & { place: Place }) {
  const schemas = useSchemas(place);
  const [choice, setChoice] = useChoice(schemas.data);
  const namesOf = useTableNames(place);
  const sizes = useMemo(() => new Map(schemas.data?.map((s) => [s.name, s.tableCount])), [schemas.data]);
  if (schemas.error) return <ErrorCard title="The database could not be read" error={schemas.error} onRetry={() => void schemas.refetch()} />;
  if (!schemas.data) return <Skeleton variant="rounded" height={240} />;
  const all = [...sizes.values()].reduce((sum, n) => sum + n, 0);
  if (all === 0) return <Alert severity="warning">This role may not read any table.</Alert>;
  const build = async (wishes: BuildWishes) => {
    const selection = await selectionOf(choice, namesOf);
    await onBuild({ ...selection, ...wishes, connectionId: place.id, databaseName: place.db });
  };
  const count = countChosen(choice, sizes);
  return (
    <Stack spacing={2}>
      <SchemaBrowser place={place} schemas={schemas.data} choice={choice} onChange={setChoice} />
      <Typography variant="body2" role="status">
        {count.toLocaleString('en-US')} of {all.toLocaleString('en-US')} tables are chosen.
      </Typography>
      <BuildForm suggested={place.db} ready={count > 0} onBuild={build} />
    </Stack>
  );
}

/** The tables of a database, the rights of the role, and the choice of tables for the model. */
export function TablesStep({ connection, onBuild }: StepProps & { connection: Connection }) {
  const test = useConnectionTest(connection.id);
  const [db, setDb] = useState(connection.databaseName);
  const place = useMemo(() => ({ id: connection.id, db }), [connection.id, db]);
  return (
    <Stack spacing={2}>
      {test.isLoading && <Skeleton variant="rounded" height={48} />}
      {test.data && <TestResult result={test.data} />}
      {test.error && <ErrorCard title="The database could not be reached" error={test.error} onRetry={() => void test.refetch()} />}
      <DatabaseSelect id={connection.id} value={db} onChange={setDb} />
      {test.data?.success && <Choose key={db} place={place} onBuild={onBuild} />}
    </Stack>
  );
}
