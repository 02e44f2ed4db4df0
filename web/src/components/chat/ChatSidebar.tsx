import Add from '@mui/icons-material/Add';
import Search from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import List from '@mui/material/List';
import ListSubheader from '@mui/material/ListSubheader';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMemo, type ReactNode } from 'react';
import type { Chat } from '../../api/types';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { groupChatsByDate } from '../../utils/chatGroups';
import { ChatListItem, linkId } from './ChatListItem';

export interface ChatSidebarProps {
  chats: Chat[];
  currentChatId: string | null;
  isLoading?: boolean;
  search: string;
  onSearch: (text: string) => void;
  onNewChat?: () => void;
  onSelectChat: (id: string) => void;
  onRenameChat?: (id: string, name: string) => void;
  onDeleteChat?: (chat: Chat) => void;
  onMore?: () => void;
  children?: ReactNode;
}

function Waiting() {
  return (
    <Box sx={{ px: 2 }}>
      {[0, 1, 2].map((i) => (
        <Skeleton key={i} height={32} />
      ))}
    </Box>
  );
}

function SearchField({ search, onSearch }: Pick<ChatSidebarProps, 'search' | 'onSearch'>) {
  return (
    <TextField
      size="small" fullWidth type="search" placeholder="Search chats" value={search} id="search-chats"
      onChange={(e) => onSearch(e.target.value)}
      slotProps={{
        htmlInput: { 'aria-label': 'Search chats' },
        input: { startAdornment: <InputAdornment position="start"><Search fontSize="small" /></InputAdornment> },
      }}
    />
  );
}

const NEW_CHAT = 'new-chat';

/**
 * When the focused chat is deleted, the focus moves to its neighbour; when the list moves the chat,
 * the focus moves with it.
 */
function useActs({ chats, onRenameChat, onDeleteChat }: ChatSidebarProps) {
  const keep = useKeyboardKept(chats);
  const onDelete = (chat: Chat) => {
    const at = chats.findIndex(({ id }) => id === chat.id);
    const neighbour = chats[at + 1] ?? chats[at - 1];
    keep(neighbour ? linkId(neighbour.id) : NEW_CHAT);
    onDeleteChat?.(chat);
  };
  const onRename = (id: string, name: string) => {
    keep(linkId(id));
    onRenameChat?.(id, name);
  };
  return { onDelete: onDeleteChat && onDelete, onRename: onRenameChat && onRename };
}

/** The list of all chats by date, with search, rename and delete. */
export function ChatSidebar(props: ChatSidebarProps) {
  const { chats, currentChatId, isLoading, search } = props;
  const acts = useActs(props);
  const groups = useMemo(() => groupChatsByDate(chats), [chats]);
  return (
    <Box component="nav" aria-label="Chats" sx={{ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0 }}>
      <Box sx={{ p: 2, display: 'grid', gap: 1.5 }}>
        <Button id={NEW_CHAT} variant="contained" startIcon={<Add />} onClick={props.onNewChat} disabled={!props.onNewChat}>
          New Chat
        </Button>
        <SearchField search={search} onSearch={props.onSearch} />
      </Box>
      <Box sx={{ flex: 1, overflowY: 'auto', px: 1, minHeight: 0 }}>
        {isLoading && <Waiting />}
        {!isLoading && chats.length === 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ p: 2, textAlign: 'center' }}>
            {search ? 'No chat matches' : 'No chats yet'}
          </Typography>
        )}
        {groups.map((group) => (
          <List key={group.name} dense disablePadding
            subheader={<ListSubheader component="h2" sx={{ m: 0, lineHeight: '32px', bgcolor: 'background.paper' }}>{group.name}</ListSubheader>}
            component="section">
            <Box component="ul" sx={{ p: 0, m: 0 }}>
              {group.chats.map((chat) => (
                <ChatListItem key={chat.id} chat={chat} active={chat.id === currentChatId}
                  onSelect={props.onSelectChat} {...acts} />
              ))}
            </Box>
          </List>
        ))}
        {props.onMore && <Button fullWidth onClick={props.onMore}>More</Button>}
      </Box>
      {props.children}
    </Box>
  );
}
