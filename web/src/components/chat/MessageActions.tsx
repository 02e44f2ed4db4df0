import LinkIcon from '@mui/icons-material/Link';
import Refresh from '@mui/icons-material/Refresh';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import { useState } from 'react';
import type { DataChatMessage, ProviderId } from '../../api/types';
import { useLlmProviders } from '../../hooks/useLlmProviders';
import { useMay } from '../../hooks/useSession';
import { PinButton } from '../boards/PinButton';
import { ScheduleButton } from '../schedules/ScheduleButton';
import { CopyButton } from '../common/CopyButton';
import { TrustStar } from '../trusted/TrustStar';
import { FeedbackButtons } from './FeedbackButtons';

interface MessageActionsProps {
  message: DataChatMessage;
  question?: string;
  onRegenerate?: (provider?: ProviderId) => void;
  disabled: boolean;
}

function Regenerate({ onRegenerate, disabled }: Required<Omit<MessageActionsProps, 'message' | 'question'>>) {
  const { providers } = useLlmProviders();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const choose = (provider?: ProviderId) => {
    setAnchor(null);
    onRegenerate(provider);
  };
  return (
    <>
      <Tooltip title="Answer again">
        <span>
          <IconButton size="small" aria-label="Answer again" aria-haspopup="menu" disabled={disabled}
            onClick={(e) => setAnchor(e.currentTarget)}>
            <Refresh fontSize="inherit" />
          </IconButton>
        </span>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={() => choose()}>Answer again</MenuItem>
        {providers.map((p) => (
          <MenuItem key={p.id} onClick={() => choose(p.id)}>with {p.name} ({p.model})</MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** The actions of a finished answer. */
export function MessageActions({ message, question, onRegenerate, disabled }: MessageActionsProps) {
  const mayWrite = useMay('data_agent:write');
  return (
    <Stack direction="row" sx={{ alignItems: 'center' }}>
      {message.content && <CopyButton text={message.content} what="answer" />}
      <CopyButton text={`${location.origin}/agent/${message.chatId}#m-${message.id}`} what="link" icon={<LinkIcon fontSize="inherit" />} />
      {mayWrite && onRegenerate && <Regenerate onRegenerate={onRegenerate} disabled={disabled} />}
      {mayWrite && message.status === 'complete' && (
        <FeedbackButtons messageId={message.id} feedback={message.feedback} />
      )}
      {mayWrite && message.status === 'complete' && <PinButton message={message} question={question ?? ''} />}
      {mayWrite && message.status === 'complete' && <ScheduleButton message={message} question={question ?? ''} />}
      {mayWrite && message.status === 'complete' && <TrustStar message={message} question={question ?? ''} />}
    </Stack>
  );
}
