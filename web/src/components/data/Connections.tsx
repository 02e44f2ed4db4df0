import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../../api/errors';
import type { Connection, ConnectionTest } from '../../api/types';
import { useConnections } from '../../hooks/useConnections';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { useMay } from '../../hooks/useSession';
import { ConfirmDialog } from '../common/ConfirmDialog';
import { ErrorCard } from '../common/ErrorCard';
import { EditConnection } from './EditConnection';
import { TestResult } from './TestResult';

const CONNECT = 'connect-a-database';

/** A phone has room for the names and the actions; the dialog of Edit has the rest. */
const WIDE = { display: { xs: 'none', md: 'table-cell' } };
const COLUMNS = [['Name', false], ['Host', true], ['Database', true], ['User', true], ['Time zone', true], ['Actions', false]] as const;

/** The list of connections, with test, remove and add. */
export function Connections() {
  const { connections, isLoading, error, refetch, test, change, remove } = useConnections();
  const [result, setResult] = useState<ConnectionTest | null>(null);
  const mayWrite = useMay('connections:write');
  const { enqueueSnackbar } = useSnackbar();
  const [editing, setEditing] = useState<Connection | null>(null);
  const [leaving, setLeaving] = useState<Connection | null>(null);
  const keep = useKeyboardKept(connections);
  const complain = (refusal: unknown) => enqueueSnackbar(messageOf(refusal), { variant: 'error' });
  if (error) return <ErrorCard title="The connections could not be read" error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <TableContainer component={Paper} variant="outlined" tabIndex={0} role="region" aria-label="Connections">
        <Table size="small" sx={{ minWidth: { xs: 0, md: 760 } }}>
          <TableHead>
            <TableRow>{COLUMNS.map(([name, wide]) => <TableCell key={name} sx={wide ? WIDE : undefined}>{name}</TableCell>)}</TableRow>
          </TableHead>
          <TableBody>
            {connections.map((c) => (
              <TableRow key={c.id}>
                <TableCell>{c.name}</TableCell>
                <TableCell sx={WIDE}>{c.host}:{c.port}</TableCell>
                <TableCell sx={WIDE}>{c.databaseName}</TableCell>
                <TableCell sx={WIDE}>{c.username}</TableCell>
                <TableCell sx={WIDE}>{c.options?.timeZone ?? 'UTC'}</TableCell>
                <TableCell>
                  {mayWrite && (
                    <>
                      <Button component={Link} to={`/settings/data/connect?connection=${c.id}`} size="small" aria-label={`Build a model of ${c.name}`}>Model</Button>
                      <Button size="small" aria-label={`Edit ${c.name}`} onClick={() => setEditing(c)}>Edit</Button>
                      <Button size="small" aria-label={`Test ${c.name}`} onClick={() => void test(c.id).then(setResult, complain)}>Test</Button>
                      <Button size="small" color="error" aria-label={`Delete ${c.name}`} onClick={() => setLeaving(c)}>Delete</Button>
                    </>
                  )}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
        {!isLoading && connections.length === 0 && <Typography variant="body2" color="textSecondary" sx={{ p: 2 }}>No database is connected.</Typography>}
      </TableContainer>
      {result && <TestResult result={result} />}
      {editing && <EditConnection connection={editing} onSave={(body) => change(editing.id, body)} onClose={() => setEditing(null)} />}
      {leaving && (
        <ConfirmDialog
          title={`Delete ${leaving.name}?`} act="Delete"
          text="This also deletes its password. A connection that models use cannot be deleted."
          onClose={() => setLeaving(null)}
          onConfirm={() => {
            keep(CONNECT);
            void remove(leaving.id).catch(complain);
          }}
        />
      )}
      {mayWrite && (
        <Button id={CONNECT} component={Link} to="/settings/data/connect" startIcon={<Add />} variant="contained" sx={{ justifySelf: 'start' }}>
          Connect a database
        </Button>
      )}
    </>
  );
}
