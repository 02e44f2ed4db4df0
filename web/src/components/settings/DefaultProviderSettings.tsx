import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useSnackbar } from 'notistack';
import { messageOf } from '../../api/errors';
import type { ProviderId } from '../../api/types';
import { useLlmProviders } from '../../hooks/useLlmProviders';
import { useUserSettings } from '../../hooks/useUserSettings';

/** The default language model of new chats. */
export function DefaultProviderSettings() {
  const { providers, defaultProvider } = useLlmProviders();
  const { save } = useUserSettings();
  const { enqueueSnackbar } = useSnackbar();
  const choose = (id: string) =>
    save({ defaultProvider: (id || null) as ProviderId | null }).catch((error: unknown) =>
      enqueueSnackbar(messageOf(error), { variant: 'error' }));
  return (
    <FormControl size="small" sx={{ maxWidth: 360 }}>
      <InputLabel id="default-provider-label" shrink>Default language model</InputLabel>
      <Select labelId="default-provider-label" label="Default language model" notched displayEmpty value={defaultProvider ?? ''}
        onChange={(e) => void choose(e.target.value)}>
        <MenuItem value="">The server's default</MenuItem>
        {providers.map((p) => <MenuItem key={p.id} value={p.id}>{p.name} · {p.model}</MenuItem>)}
      </Select>
      <FormHelperText>Pre-selected for new chats; chats that exist keep theirs</FormHelperText>
    </FormControl>
  );
}
