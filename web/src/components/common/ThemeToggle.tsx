import DarkMode from '@mui/icons-material/DarkMode';
import LightMode from '@mui/icons-material/LightMode';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useColorScheme } from '@mui/material/styles';
import { useDark } from '../../hooks/useDark';
import { useUserSettings } from '../../hooks/useUserSettings';

export function ThemeToggle() {
  const dark = useDark();
  const { setMode } = useColorScheme();
  const { save } = useUserSettings();
  const next = dark ? 'light' : 'dark';
  const toggle = () => {
    setMode(next);
    save({ theme: next }).catch(() => undefined); // the page keeps the chosen theme
  };
  return (
    <Tooltip title={`${dark ? 'Light' : 'Dark'} mode`}>
      <IconButton aria-label={`${dark ? 'Light' : 'Dark'} mode`} onClick={toggle}>
        {dark ? <LightMode /> : <DarkMode />}
      </IconButton>
    </Tooltip>
  );
}
