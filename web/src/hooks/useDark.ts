import { useColorScheme } from '@mui/material/styles';

/** Whether the page is dark, by choice or by the system's setting. */
export function useDark(): boolean {
  const { mode, systemMode } = useColorScheme();
  return (mode === 'system' ? systemMode : mode) === 'dark';
}
