import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { ProviderId } from '../../api/types';
import { useLlmProviders } from '../../hooks/useLlmProviders';

interface ModelSelectorProps {
  value: ProviderId | null;
  onChange: (provider: ProviderId | null) => void;
  disabled?: boolean;
}

/** A select for the language model; the default is the server's. */
export function ModelSelector({ value, onChange, disabled = false }: ModelSelectorProps) {
  const { providers } = useLlmProviders();
  const known = value !== null && providers.some((p) => p.id === value);
  const standard = providers.find((p) => p.isDefault);
  return (
    <Select
      size="small"
      variant="standard"
      disableUnderline
      displayEmpty
      disabled={disabled}
      value={known ? value : ''}
      onChange={(e) => onChange((e.target.value || null) as ProviderId | null)}
      SelectDisplayProps={{ 'aria-label': 'Language model' }}
      sx={{ fontSize: 13, color: 'text.secondary', maxWidth: 240 }}
    >
      <MenuItem value="">{standard ? `Default (${standard.name})` : 'Default model'}</MenuItem>
      {providers.map((p) => (
        <MenuItem key={p.id} value={p.id}>{p.name} · {p.model}</MenuItem>
      ))}
    </Select>
  );
}
