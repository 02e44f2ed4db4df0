import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import IconButton from '@mui/material/IconButton';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Chat } from '../../api/types';
import { useKeyboardBack } from '../../hooks/useKeyboardStays';

interface ChatListItemProps {
  chat: Chat;
  active: boolean;
  onSelect: (id: string) => void;
  onRename?: (id: string, name: string) => void;
  onDelete?: (chat: Chat) => void;
}

const SHOWN = 30;

function shortName(name: string): string {
  return name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
}

interface NameFieldProps {
  name: string;
  /** How the rename ended; null if the user pressed a key or moved the focus elsewhere. */
  onDone: (name: string | null, byKey: boolean) => void;
}

function NameField({ name, onDone }: NameFieldProps) {
  const [text, setText] = useState(name);
  const save = (byKey: boolean) => onDone(text.trim() && text.trim() !== name ? text.trim() : null, byKey);
  return (
    <TextField size="small" fullWidth autoFocus value={text} onBlur={() => save(false)}
      onChange={(e) => setText(e.target.value)}
      onKeyDown={(e) => {
        if (e.key === 'Enter') save(true);
        if (e.key === 'Escape') {
          e.stopPropagation();
          onDone(null, true);
        }
      }}
      slotProps={{ htmlInput: { 'aria-label': 'Name of the chat', maxLength: 255 } }}
    />
  );
}

/** The link to a chat in the list. */
export const linkId = (chatId: string) => `chat-${chatId}`;

export function ChatListItem({ chat, active, onSelect, onRename, onDelete }: ChatListItemProps) {
  const [editing, setEditing] = useState(false);
  const left = useKeyboardBack(editing, linkId(chat.id));
  if (editing && onRename) {
    const done = (name: string | null, byKey: boolean) => {
      left.current = byKey;
      setEditing(false);
      if (name) onRename(chat.id, name);
    };
    return (
      <ListItem sx={{ px: 1 }}>
        <NameField name={chat.name} onDone={done} />
      </ListItem>
    );
  }
  return (
    <ListItem
      disablePadding
      sx={{
        '& .chat-actions': { opacity: 0 },
        '&:hover .chat-actions, &:focus-within .chat-actions': { opacity: 1 },
        '@media (hover: none)': { '& .chat-actions': { opacity: 1 } },
      }}
      secondaryAction={
        <span className="chat-actions">
          {onRename && (
            <IconButton size="small" aria-label={`Rename ${chat.name}`} onClick={() => setEditing(true)}>
              <Edit fontSize="inherit" />
            </IconButton>
          )}
          {onDelete && (
            <IconButton size="small" aria-label={`Delete ${chat.name}`} onClick={() => onDelete(chat)}>
              <Delete fontSize="inherit" />
            </IconButton>
          )}
        </span>
      }
    >
      <ListItemButton id={linkId(chat.id)} component={Link} to={`/agent/${chat.id}`} selected={active}
        aria-current={active ? 'page' : undefined} onClick={() => onSelect(chat.id)}
        sx={{ borderRadius: 1, py: 0.5, '&&': { pr: 8 } }}>
        <ListItemText primary={shortName(chat.name)} title={chat.name}
          slotProps={{ primary: { noWrap: true, variant: 'body2' } }} />
      </ListItemButton>
    </ListItem>
  );
}
