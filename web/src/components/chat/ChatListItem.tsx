import MoreHoriz from '@mui/icons-material/MoreHoriz';
import PushPin from '@mui/icons-material/PushPinOutlined';
import IconButton from '@mui/material/IconButton';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Chat } from '../../api/types';
import { useKeyboardBack } from '../../hooks/useKeyboardStays';
import { Found } from './Found';

export interface ChatActs {
  onRename?: (id: string, name: string) => void;
  onDelete?: (chat: Chat) => void;
  onPin?: (chat: Chat) => void;
  onArchive?: (chat: Chat) => void;
}

interface ChatListItemProps extends ChatActs {
  chat: Chat;
  active: boolean;
  /** The text of the search box. */
  search?: string;
  onSelect: (id: string) => void;
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

interface ActionsProps extends ChatActs {
  chat: Chat;
  onEdit: () => void;
}

/** The button that opens the menu of a chat. It is no stop of Tab: the keys of the link do the same. */
function Actions({ chat, onEdit, onRename, onDelete, onPin, onArchive }: ActionsProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const editing = useRef(false);
  const item = (name: string, act: (() => void) | undefined) => act && (
    <MenuItem key={name} onClick={() => { setAnchor(null); act(); }}>{name}</MenuItem>
  );
  return (
    <>
      <IconButton className="chat-actions" size="small" tabIndex={-1} aria-haspopup="menu" aria-label={`Actions for ${chat.name}`}
        onClick={(e) => setAnchor(e.currentTarget)}>
        <MoreHoriz fontSize="small" />
      </IconButton>
      {/* The name field takes the focus only after the menu has given it back. */}
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}
        slotProps={{ transition: { onExited: () => { if (editing.current) { editing.current = false; onEdit(); } } } }}>
        {item('Rename', onRename && (() => { editing.current = true; }))}
        {item(chat.pinned ? 'Unpin' : 'Pin', !chat.archived && onPin ? () => onPin(chat) : undefined)}
        {item(chat.archived ? 'Bring back' : 'Archive', onArchive && (() => onArchive(chat)))}
        {item('Delete', onDelete && (() => onDelete(chat)))}
      </Menu>
    </>
  );
}

/** Moves the focus to the next or previous chat of the list. */
function stepTo(link: HTMLElement, by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('nav a[id^=chat-]')];
  links[links.indexOf(link) + by]?.focus();
}

export function ChatListItem({ chat, active, search = '', onSelect, ...acts }: ChatListItemProps) {
  const [editing, setEditing] = useState(false);
  const left = useKeyboardBack(editing, linkId(chat.id));
  const row = useRef<HTMLLIElement>(null);
  const { onRename, onDelete } = acts;
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
  const keys: Record<string, (() => void) | undefined> = {
    F2: onRename && (() => setEditing(true)),
    Delete: onDelete && (() => onDelete(chat)),
    ArrowRight: () => row.current?.querySelector<HTMLElement>('.chat-actions')?.focus(),
    ArrowDown: () => stepTo(document.getElementById(linkId(chat.id))!, 1),
    ArrowUp: () => stepTo(document.getElementById(linkId(chat.id))!, -1),
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const may = Object.values(acts).some(Boolean);
  const to = chat.match ? `/agent/${chat.id}#m-${chat.match.messageId}` : `/agent/${chat.id}`;
  return (
    <ListItem
      ref={row} disablePadding
      sx={{
        '& .chat-actions': { opacity: 0 },
        '&:hover .chat-actions, &:focus-within .chat-actions': { opacity: 1 },
        '@media (hover: none)': { '& .chat-actions': { opacity: 1 } },
      }}
      secondaryAction={may && <Actions chat={chat} onEdit={() => setEditing(true)} {...acts} />}
    >
      <ListItemButton id={linkId(chat.id)} component={Link} to={to} selected={active}
        aria-current={active ? 'page' : undefined} onClick={() => onSelect(chat.id)} onKeyDown={onKeyDown}
        sx={{ borderRadius: 1, py: 0.5, '&&': { pr: 5 } }}>
        <ListItemText primary={chat.name} title={chat.name}
          secondary={chat.match && <Found text={chat.match.text} search={search} />}
          slotProps={{ primary: { noWrap: true, variant: 'body2' }, secondary: { variant: 'caption', component: 'div' } }} />
        {chat.pinned && <PushPin titleAccess="Pinned" sx={{ fontSize: 14, ml: 0.5, color: 'text.secondary' }} />}
      </ListItemButton>
    </ListItem>
  );
}
