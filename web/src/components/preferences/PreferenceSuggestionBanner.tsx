import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { messageOf } from '../../api/errors';
import type { Suggestion } from '../../utils/runState';

interface PreferenceSuggestionBannerProps {
  suggestions: Suggestion[];
  ontologyId: string;
  onSave: (key: string, value: string) => Promise<void>;
  onDismiss: (key: string) => void;
}

/** Offers to remember answers to clarifying questions. */
export function PreferenceSuggestionBanner({ suggestions, onSave, onDismiss }: PreferenceSuggestionBannerProps) {
  const { enqueueSnackbar } = useSnackbar();
  if (suggestions.length === 0) return null;
  const save = ({ key, value }: Suggestion) =>
    onSave(key, value).catch((error: unknown) => enqueueSnackbar(messageOf(error), { variant: 'error' }));
  return (
    <Alert severity="info" variant="outlined" sx={{ mb: 2, '& .MuiAlert-message': { flex: 1, minWidth: 0 } }}>
      <Typography variant="body2">Remember this for next time?</Typography>
      {suggestions.map((s) => (
        <Box key={s.key} sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
          <Typography variant="body2" sx={{ flex: 1, minWidth: 140 }}>
            <code>{s.key}</code>: {s.value}
          </Typography>
          <Button size="small" onClick={() => void save(s)} aria-label={`Save ${s.key}`}>Save</Button>
          <Button size="small" color="inherit" onClick={() => onDismiss(s.key)} aria-label={`Dismiss ${s.key}`}>Dismiss</Button>
        </Box>
      ))}
    </Alert>
  );
}
