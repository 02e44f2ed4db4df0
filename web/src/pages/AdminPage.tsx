import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Link, Navigate, Route, Routes, useLocation } from 'react-router';
import { DataAgentSettings } from '../components/admin/DataAgentSettings';
import { LiveRuns } from '../components/admin/LiveRuns';
import { UsageOfAll } from '../components/admin/UsageOfAll';
import { Users } from '../components/admin/Users';
import { PageFrame } from '../components/common/PageFrame';
import { useMay } from '../hooks/useSession';
import NotFoundPage from './NotFoundPage';

const TABS = [
  ['users', 'Users'],
  ['settings', 'System settings'],
  ['runs', 'Live runs'],
  ['usage', 'Usage'],
] as const;

/** For admins: accounts, settings of the whole server, live runs, usage. */
export default function AdminPage() {
  const admin = useMay('system_settings:read');
  const { pathname } = useLocation();
  const at = TABS.find(([path]) => pathname.startsWith(`/admin/${path}`))?.[0] ?? 'users';
  if (!admin) return <Navigate to="/agent" replace />;
  if (!TABS.some(([path]) => pathname === `/admin/${path}`) && pathname.replace(/\/$/, '') !== '/admin') return <NotFoundPage />;
  return (
    <PageFrame title="Administration">
      <Stack component="nav" direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }} aria-label="Administration">
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
        <Route path="usage" element={<UsageOfAll />} />
        <Route path="*" element={<Navigate to="/admin/users" replace />} />
      </Routes>
    </PageFrame>
  );
}
