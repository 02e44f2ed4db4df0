import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import { isLoadError } from '../../api/errors';
import { useOnline } from '../../hooks/useOnline';
import { reload } from '../../utils/reload';

/** Offline, a reload would replace the page with the browser's error. */
export function ReloadButton() {
  return useOnline() ? <Button size="small" color="inherit" onClick={reload}>Reload</Button> : null;
}

/** Why a part of the page is not there. */
export function usePartFailure(error: unknown): { title: string; text: string } {
  const online = useOnline();
  if (!isLoadError(error)) return { title: 'This part of the page failed', text: `Reload the page. If it fails again, send this to an admin: ${String(error)}` };
  return {
    title: 'This part of the page could not be loaded',
    text: online ? 'The page may have a new version. Reload it to continue.' : 'You are offline. Reload the page when you are online again.',
  };
}

/** In the place of a part of the page that could not be loaded, or that threw. */
export function PartFailed({ error }: { error: unknown }) {
  const { title, text } = usePartFailure(error);
  return (
    <Alert severity="warning" variant="outlined" action={<ReloadButton />} sx={{ my: 1, overflowWrap: 'anywhere' }}>
      <AlertTitle>{title}</AlertTitle>
      {text}
    </Alert>
  );
}
