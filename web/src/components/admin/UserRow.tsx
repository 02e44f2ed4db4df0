import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Switch from '@mui/material/Switch';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { User } from '../../api/types';
import { ROLES } from '../../hooks/useUsers';

interface UserRowProps {
  user: User;
  onRole: (role: string) => void;
  onActive: (active: boolean) => void;
}

/** The role with the most permissions. */
export function roleOf(user: User): string {
  return ROLES.findLast((role) => user.roles.some((r) => r.name === role)) ?? '';
}

export function UserRow({ user, onRole, onActive }: UserRowProps) {
  return (
    <TableRow>
      <TableCell data-column="Email" sx={{ overflowWrap: 'anywhere' }}>{user.email}</TableCell>
      <TableCell data-column="Name">{user.displayName}</TableCell>
      <TableCell data-column="Role">
        <Select size="small" variant="standard" disableUnderline value={roleOf(user)} onChange={(e) => onRole(e.target.value)}
          SelectDisplayProps={{ 'aria-label': `Role of ${user.email}` }}>
          {ROLES.map((role) => <MenuItem key={role} value={role}>{role}</MenuItem>)}
        </Select>
      </TableCell>
      <TableCell data-column="Last sign-in">{user.lastLoginAt ? new Date(user.lastLoginAt).toLocaleString() : 'never'}</TableCell>
      <TableCell data-column="Active">
        <Switch size="small" checked={user.isActive} onChange={(e) => onActive(e.target.checked)}
          slotProps={{ input: { 'aria-label': `${user.email} may sign in` } }} />
      </TableCell>
    </TableRow>
  );
}
