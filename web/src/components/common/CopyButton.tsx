import ContentCopy from '@mui/icons-material/ContentCopy';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { ReactNode } from 'react';
import { useCopy } from '../../hooks/useCopy';

interface CopyButtonProps {
  text: string;
  what: string;
  icon?: ReactNode;
}

export function CopyButton({ text, what, icon }: CopyButtonProps) {
  const copy = useCopy();
  return (
    <Tooltip title={`Copy ${what}`}>
      <IconButton size="small" aria-label={`Copy ${what}`} onClick={() => void copy(text, what)}>
        {icon ?? <ContentCopy fontSize="inherit" />}
      </IconButton>
    </Tooltip>
  );
}
