import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Link, Navigate, Route, Routes, useLocation } from 'react-router';
import { DataAgentSettings } from '../components/admin/DataAgentSettings';
import { LiveRuns } from '../components/admin/LiveRuns';
import { Users } from '../components/admin/Users';
import { PageFrame } from '../components/common/PageFrame';
import { useMay } from '../hooks/useSession';

const TABS = [
  ['users', 'Users'],
  ['settings', 'System settings'],
  ['runs', 'Live runs'],
] as const;

/** For admins: accounts, settings of the whole server, live runs. */
export default function AdminPage() {
  const admin = useMay('system_settings:read');
  const { pathname } = useLocation();
  const at = TABS.find(([path]) => pathname.startsWith(`/admin/${path}`))?.[0] ?? 'users';
  if (!admin) return <Navigate to="/agent" replace />;
  return (
    <PageFrame title="Administration">
      <Stack component="nav" direction="row" spacing={1} aria-label="Administration">
        {TABS.map(([path, name]) => (
          <Button key={path} component={Link} to={`/admin/${path}`} variant={path === at ? 'contained' : 'text'}
            aria-current={path === at ? 'page' : undefined}>
            {name}
          </Button>
        ))}
      </Stack>
      <Routes>
        <Route path="users" element={<Users />} />
        <Route path="settings" element={<DataAgentSettings />} />
        <Route path="runs" element={<LiveRuns />} />
        <Route path="*" element={<Navigate to="/admin/users" replace />} />
      </Routes>
    </PageFrame>
  );
}
