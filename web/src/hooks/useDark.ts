import { useColorScheme } from '@mui/material/styles';

/** Whether the page is dark now, be it chosen or the system's. */
export function useDark(): boolean {
  const { mode, systemMode } = useColorScheme();
  return (mode === 'system' ? systemMode : mode) === 'dark';
}
