import AdminPanelSettings from '@mui/icons-material/AdminPanelSettingsOutlined';
import Storage from '@mui/icons-material/StorageOutlined';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../../hooks/useSession';

/** The pages next to the chats, below their list. */
export function NavLinks() {
  const data = useMay('connections:read');
  const admin = useMay('system_settings:read');
  const link = (to: string, name: string, icon: ReactNode) => (
    <Button key={to} component={Link} to={to} color="inherit" size="small" startIcon={icon} sx={{ flex: 1, color: 'text.secondary' }}>{name}</Button>
  );
  if (!data && !admin) return null;
  return (
    <Stack direction="row" sx={{ p: 0.5, borderTop: 1, borderColor: 'divider' }}>
      {data && link('/settings/data', 'Data', <Storage />)}
      {admin && link('/admin/users', 'Admin', <AdminPanelSettings />)}
    </Stack>
  );
}
