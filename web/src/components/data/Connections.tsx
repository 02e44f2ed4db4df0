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
import { TestResult } from './TestResult';

const CONNECT = 'connect-a-database';

/** The list of connections, with test, remove and add. */
export function Connections() {
  const { connections, error, refetch, test, remove } = useConnections();
  const [result, setResult] = useState<ConnectionTest | null>(null);
  const mayWrite = useMay('connections:write');
  const { enqueueSnackbar } = useSnackbar();
  const [leaving, setLeaving] = useState<Connection | null>(null);
  const keep = useKeyboardKept(connections);
  const complain = (refusal: unknown) => enqueueSnackbar(messageOf(refusal), { variant: 'error' });
  if (error) return <ErrorCard title="The connections could not be read" error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <TableContainer component={Paper} variant="outlined" tabIndex={0} role="region" aria-label="Connections">
        <Table size="small" sx={{ minWidth: 640 }}>
          <TableHead>
            <TableRow>{['Name', 'Host', 'Database', 'User', 'Actions'].map((name) => <TableCell key={name}>{name}</TableCell>)}</TableRow>
          </TableHead>
          <TableBody>
            {connections.map((c) => (
              <TableRow key={c.id}>
                <TableCell>{c.name}</TableCell>
                <TableCell>{c.host}:{c.port}</TableCell>
                <TableCell>{c.databaseName}</TableCell>
                <TableCell>{c.username}</TableCell>
                <TableCell>
                  {mayWrite && (
                    <>
                      <Button component={Link} to={`/settings/data/connect?connection=${c.id}`} size="small" aria-label={`Build a model of ${c.name}`}>Model</Button>
                      <Button size="small" aria-label={`Test ${c.name}`} onClick={() => void test(c.id).then(setResult, complain)}>Test</Button>
                      <Button size="small" color="error" aria-label={`Remove ${c.name}`} onClick={() => setLeaving(c)}>Remove</Button>
                    </>
                  )}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
        {connections.length === 0 && <Typography variant="body2" color="textSecondary" sx={{ p: 2 }}>No database is connected.</Typography>}
      </TableContainer>
      {result && <TestResult result={result} />}
      {leaving && (
        <ConfirmDialog
          title={`Remove ${leaving.name}?`} act="Remove"
          text="This also deletes its password. A connection that models use cannot be removed."
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
