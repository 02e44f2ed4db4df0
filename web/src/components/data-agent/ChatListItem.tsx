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
  onSave: (name: string) => void;
  onCancel: () => void;
}

function NameField({ name, onSave, onCancel }: NameFieldProps) {
  const [text, setText] = useState(name);
  const save = () => (text.trim() && text.trim() !== name ? onSave(text.trim()) : onCancel());
  return (
    <TextField size="small" fullWidth autoFocus value={text} onBlur={save}
      onChange={(e) => setText(e.target.value)}
      onKeyDown={(e) => {
        if (e.key === 'Enter') save();
        if (e.key === 'Escape') {
          e.stopPropagation();
          onCancel();
        }
      }}
      slotProps={{ htmlInput: { 'aria-label': 'Name of the chat', maxLength: 255 } }}
    />
  );
}

export function ChatListItem({ chat, active, onSelect, onRename, onDelete }: ChatListItemProps) {
  const [editing, setEditing] = useState(false);
  if (editing && onRename) {
    const save = (name: string) => {
      setEditing(false);
      onRename(chat.id, name);
    };
    return (
      <ListItem sx={{ px: 1 }}>
        <NameField name={chat.name} onSave={save} onCancel={() => setEditing(false)} />
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
      <ListItemButton component={Link} to={`/agent/${chat.id}`} selected={active}
        aria-current={active ? 'page' : undefined} onClick={() => onSelect(chat.id)}
        sx={{ borderRadius: 1, py: 0.5, '&&': { pr: 8 } }}>
        <ListItemText primary={shortName(chat.name)} title={chat.name}
          slotProps={{ primary: { noWrap: true, variant: 'body2' } }} />
      </ListItemButton>
    </ListItem>
  );
}
