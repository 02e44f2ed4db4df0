import AccountCircle from '@mui/icons-material/AccountCircle';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { Link } from 'react-router';
import { logout } from '../../api/session';
import { tellTabs } from '../../api/tabs';
import { useMay, useMe } from '../../hooks/useSession';
import { NavLinks } from './NavLinks';
import { ThemeToggle } from './ThemeToggle';

async function leave(): Promise<void> {
  await logout();
  tellTabs({ kind: 'signed-out' });
}

/** The user's e-mail address, links to the other pages, and Sign out. */
export function AppMenu({ onHelp }: { onHelp?: () => void }) {
  const me = useMe();
  const admin = useMay('system_settings:read');
  const data = useMay('connections:read');
  const asks = useMay('data_agent:write');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const to = (path: string, name: string) => (
    <MenuItem key={path} component={Link} to={path} onClick={close}>{name}</MenuItem>
  );
  return (
    <>
      <NavLinks />
      <Box sx={{ display: 'flex', alignItems: 'center', p: 1, borderTop: 1, borderColor: 'divider' }}>
        <Button color="inherit" startIcon={<AccountCircle />} aria-haspopup="menu" onClick={(e) => setAnchor(e.currentTarget)}
          sx={{ flex: 1, minWidth: 0, justifyContent: 'flex-start', overflow: 'hidden' }}>
          {me?.displayName || me?.email}
        </Button>
        <ThemeToggle />
        <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
          <MenuItem disabled><ListItemText primary={me?.email} secondary={me?.roles.map((r) => r.name).join(', ')} /></MenuItem>
          <Divider />
          {to('/agent', 'Data Agent')}
          {to('/boards', 'Boards')}
          {to('/schedules', 'Schedules')}
          {asks && to('/sql', 'SQL console')}
          {asks && to('/explore', 'Explore a file')}
          {data && to('/settings/data', 'Data')}
          {to('/settings', 'Settings')}
          {admin && [to('/admin/users', 'Users'), to('/admin/settings', 'System settings'), to('/admin/runs', 'Live runs'), to('/admin/usage', 'Usage')]}
          {onHelp && <MenuItem onClick={() => { close(); onHelp(); }}>Keyboard shortcuts</MenuItem>}
          <Divider />
          <MenuItem onClick={() => void leave()}>Sign out</MenuItem>
        </Menu>
      </Box>
    </>
  );
}
