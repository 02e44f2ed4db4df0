import Visibility from '@mui/icons-material/Visibility';
import VisibilityOff from '@mui/icons-material/VisibilityOff';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useSnackbar } from 'notistack';
import { reasonOf } from '../../api/errors';

/** Hides a dataset or a field from questions and answers, or shows it again. */
export function HideSwitch({ name, hidden, onChange }: { name: string; hidden: boolean; onChange: (hidden: boolean) => Promise<unknown> }) {
  const { enqueueSnackbar } = useSnackbar();
  const label = hidden ? `Show ${name} again` : `Hide ${name}`;
  const change = () => onChange(!hidden).catch((error: unknown) => void enqueueSnackbar(reasonOf(error), { variant: 'error' }));
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={label} aria-pressed={hidden} onClick={() => void change()}>
        {hidden ? <VisibilityOff fontSize="small" /> : <Visibility fontSize="small" />}
      </IconButton>
    </Tooltip>
  );
}
