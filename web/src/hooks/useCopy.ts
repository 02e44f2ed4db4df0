import { useSnackbar } from 'notistack';

/** Copies a text and reports it. */
export function useCopy(): (text: string, what: string) => Promise<void> {
  const { enqueueSnackbar } = useSnackbar();
  return async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      enqueueSnackbar(`${what} copied`, { variant: 'success', autoHideDuration: 2000 });
    } catch {
      enqueueSnackbar('The browser does not let this page copy', { variant: 'warning' });
    }
  };
}
