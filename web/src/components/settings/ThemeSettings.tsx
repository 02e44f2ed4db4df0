import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useColorScheme } from '@mui/material/styles';
import { useSnackbar } from 'notistack';
import { messageOf } from '../../api/errors';
import type { UserSettings } from '../../api/types';
import { useUserSettings } from '../../hooks/useUserSettings';

type Theme = UserSettings['theme'];

export function ThemeSettings() {
  const { mode, setMode } = useColorScheme();
  const { save } = useUserSettings();
  const { enqueueSnackbar } = useSnackbar();
  const choose = (theme: Theme | null) => {
    if (!theme) return;
    setMode(theme);
    save({ theme }).catch((error: unknown) => enqueueSnackbar(messageOf(error), { variant: 'error' }));
  };
  return (
    <ToggleButtonGroup size="small" exclusive value={mode ?? 'system'} aria-label="Theme" onChange={(_e, next: Theme | null) => choose(next)}>
      <ToggleButton value="light">Light</ToggleButton>
      <ToggleButton value="system">System</ToggleButton>
      <ToggleButton value="dark">Dark</ToggleButton>
    </ToggleButtonGroup>
  );
}
