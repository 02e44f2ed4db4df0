import ContentCopy from '@mui/icons-material/ContentCopy';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useCopy } from '../../hooks/useCopy';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const copy = useCopy();
  return (
    <Tooltip title={`Copy ${what}`}>
      <IconButton size="small" aria-label={`Copy ${what}`} onClick={() => void copy(text, what)}>
        <ContentCopy fontSize="inherit" />
      </IconButton>
    </Tooltip>
  );
}
