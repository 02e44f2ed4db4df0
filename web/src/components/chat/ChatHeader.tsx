import BarChart from '@mui/icons-material/QueryStats';
import Menu from '@mui/icons-material/Menu';
import Share from '@mui/icons-material/IosShare';
import Tune from '@mui/icons-material/Tune';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Chat } from '../../api/types';
import { AGENTS } from '../../utils/agents';
import { Later } from '../common/Later';

/** The id of the button that opens and closes the insights. */
export const INSIGHTS_BUTTON = 'insights-button';

interface ChatHeaderProps {
  chat: Chat | null;
  onMenu?: () => void;
  onShare?: () => void;
  onPreferences: () => void;
  onInsights: () => void;
  insightsOpen: boolean;
}

interface HeadButtonProps {
  id?: string;
  label: string;
  onClick: () => void;
  pressed?: boolean;
  children: ReactNode;
}

function HeadButton({ id, label, onClick, pressed, children }: HeadButtonProps) {
  return (
    <Tooltip title={label}>
      <IconButton id={id} aria-label={label} aria-pressed={pressed} onClick={onClick}>{children}</IconButton>
    </Tooltip>
  );
}

export function ChatHeader({ chat, onMenu, onShare, onPreferences, onInsights, insightsOpen }: ChatHeaderProps) {
  return (
    <Box component="header" sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, py: 1, borderBottom: 1, borderColor: 'divider', minHeight: 57 }}>
      {onMenu && <HeadButton label="Chats" onClick={onMenu}><Menu /></HeadButton>}
      {chat
        ? <Typography variant="h6" component="h1" noWrap sx={{ minWidth: 0, flex: 1 }}>{chat.name}</Typography>
        : <><h1 className="visually-hidden">Chat</h1><Box sx={{ flex: 1 }} /></>}
      <Later>
        {chat && <Chip label={chat.ontology.name} size="small" sx={{ maxWidth: 160, display: { xs: 'none', sm: 'inline-flex' } }} />}
        {chat && (
          <Tooltip describeChild title={AGENTS[chat.agent].about}>
            <Chip label={AGENTS[chat.agent].name} size="small" variant="outlined" sx={{ flex: 'none', display: { xs: 'none', sm: 'inline-flex' } }} />
          </Tooltip>
        )}
        {onShare && <HeadButton label="Share" onClick={onShare}><Share /></HeadButton>}
        <HeadButton label="Preferences" onClick={onPreferences}><Tune /></HeadButton>
        <HeadButton id={INSIGHTS_BUTTON} label="Insights" onClick={onInsights} pressed={insightsOpen}><BarChart /></HeadButton>
      </Later>
    </Box>
  );
}
