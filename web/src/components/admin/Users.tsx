import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Pagination from '@mui/material/Pagination';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { useSnackbar } from 'notistack';
import { useDeferredValue, useState } from 'react';
import { messageOf } from '../../api/errors';
import { useUsers } from '../../hooks/useUsers';
import { ErrorCard } from '../common/ErrorCard';
import { STACKED } from '../common/stacked';
import { NewUserDialog } from './NewUserDialog';
import { UserRow } from './UserRow';

/** The list of accounts and their roles. */
export function Users() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [adding, setAdding] = useState(false);
  const users = useUsers(useDeferredValue(search.trim()), page);
  const { enqueueSnackbar } = useSnackbar();
  const attempt = (act: Promise<unknown>) =>
    void act.catch((error: unknown) => enqueueSnackbar(messageOf(error), { variant: 'error' }));
  if (users.error) return <ErrorCard title="The users could not be read" error={users.error} onRetry={() => void users.refetch()} />;
  return (
    <>
      <Stack direction="row" spacing={2}>
        <TextField size="small" type="search" label="Search users" value={search}
          onChange={(e) => { setSearch(e.target.value); setPage(1); }} />
        <Button startIcon={<Add />} variant="contained" onClick={() => setAdding(true)}>New user</Button>
      </Stack>
      <TableContainer component={Paper} variant="outlined" tabIndex={0} role="region" aria-label="Users">
        <Table size="small" sx={{ minWidth: { sm: 640 }, ...STACKED }}>
          <TableHead>
            <TableRow>
              {['Email', 'Name', 'Role', 'Last sign-in', 'Active'].map((name) => <TableCell key={name}>{name}</TableCell>)}
            </TableRow>
          </TableHead>
          <TableBody>
            {users.items.map((user) => (
              <UserRow key={user.id} user={user}
                onRole={(role) => attempt(users.setRole(user.id, role))}
                onActive={(isActive) => attempt(users.change(user.id, { isActive }))} />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {users.totalPages > 1 && <Pagination page={page} count={users.totalPages} onChange={(_e, next) => setPage(next)} />}
      {adding && <NewUserDialog onClose={() => setAdding(false)} onCreate={users.create} />}
    </>
  );
}
