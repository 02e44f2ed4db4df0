import Add from '@mui/icons-material/Add';
import Archive from '@mui/icons-material/ArchiveOutlined';
import ArrowBack from '@mui/icons-material/ArrowBack';
import ArrowDown from '@mui/icons-material/KeyboardArrowDown';
import Search from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import List from '@mui/material/List';
import ListSubheader from '@mui/material/ListSubheader';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useMemo, type ReactNode } from 'react';
import type { Chat } from '../../api/types';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import { groupChatsByDate } from '../../utils/chatGroups';
import { ErrorCard } from '../common/ErrorCard';
import { ChatListItem, linkId, type ChatActs } from './ChatListItem';

export interface ChatSidebarProps {
  chats: Chat[];
  currentChatId: string | null;
  isLoading?: boolean;
  /** Why the chats could not be listed. */
  error?: unknown;
  onRetry?: () => void;
  search: string;
  onSearch: (text: string) => void;
  onNewChat?: () => void;
  /** Opens the dialog with what a new chat can have. */
  onChoose?: () => void;
  onSelectChat: (id: string) => void;
  onRenameChat?: (id: string, name: string) => void;
  onDeleteChat?: (chat: Chat) => void;
  onPinChat?: (chat: Chat) => void;
  onArchiveChat?: (chat: Chat) => void;
  /** The list shows archived chats. */
  archived?: boolean;
  onArchived?: (archived: boolean) => void;
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
function useActs({ chats, onRenameChat, onDeleteChat, onPinChat, onArchiveChat }: ChatSidebarProps): ChatActs {
  const keep = useKeyboardKept(chats);
  const keepNeighbour = (chat: Chat) => {
    const at = chats.findIndex(({ id }) => id === chat.id);
    const neighbour = chats[at + 1] ?? chats[at - 1];
    keep(neighbour ? linkId(neighbour.id) : NEW_CHAT);
  };
  const onDelete = (chat: Chat) => {
    keepNeighbour(chat);
    onDeleteChat?.(chat);
  };
  const onArchive = (chat: Chat) => {
    keepNeighbour(chat);
    onArchiveChat?.(chat);
  };
  const onPin = (chat: Chat) => {
    keep(linkId(chat.id));
    onPinChat?.(chat);
  };
  const onRename = (id: string, name: string) => {
    keep(linkId(id));
    onRenameChat?.(id, name);
  };
  return {
    onDelete: onDeleteChat && onDelete, onRename: onRenameChat && onRename,
    onPin: onPinChat && onPin, onArchive: onArchiveChat && onArchive,
  };
}

function nothing({ search, archived }: ChatSidebarProps): string {
  if (search) return 'No chat matches';
  return archived ? 'No archived chats' : 'No chats yet';
}

/** The list of all chats by date, with search; chats can be renamed, pinned, archived and deleted. */
export function ChatSidebar(props: ChatSidebarProps) {
  const { chats, currentChatId, isLoading, error, search } = props;
  const acts = useActs(props);
  const groups = useMemo(() => groupChatsByDate(chats), [chats]);
  return (
    <Box component="nav" aria-label="Chats" sx={{ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0 }}>
      <Box sx={{ p: 2, display: 'grid', gap: 1.5 }}>
        <Stack direction="row" spacing={0.5}>
          <Button id={NEW_CHAT} variant="contained" startIcon={<Add />} onClick={props.onNewChat} disabled={!props.onNewChat} sx={{ flex: 1 }}>
            New Chat
          </Button>
          {props.onChoose && (
            <Tooltip title="Choose data and agent">
              <IconButton aria-label="Choose data and agent" onClick={props.onChoose}><ArrowDown /></IconButton>
            </Tooltip>
          )}
        </Stack>
        <SearchField search={search} onSearch={props.onSearch} />
      </Box>
      <Box sx={{ flex: 1, overflowY: 'auto', px: 1, minHeight: 0 }}>
        {isLoading && <Waiting />}
        {Boolean(error) && chats.length === 0 && <ErrorCard title="The chats could not be listed" error={error} onRetry={props.onRetry} />}
        {!isLoading && !error && chats.length === 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ p: 2, textAlign: 'center' }}>
            {nothing(props)}
          </Typography>
        )}
        {groups.map((group) => (
          <List key={group.name} dense disablePadding
            subheader={<ListSubheader component="h2" sx={{ m: 0, lineHeight: '32px', bgcolor: 'background.paper' }}>{group.name}</ListSubheader>}
            component="section">
            <Box component="ul" sx={{ p: 0, m: 0 }}>
              {group.chats.map((chat) => (
                <ChatListItem key={chat.id} chat={chat} active={chat.id === currentChatId} search={search}
                  onSelect={props.onSelectChat} {...acts} />
              ))}
            </Box>
          </List>
        ))}
        {props.onMore && <Button fullWidth onClick={props.onMore}>More</Button>}
        {props.onArchived && !search && !isLoading && (
          <Button size="small" color="inherit" fullWidth startIcon={props.archived ? <ArrowBack /> : <Archive />}
            onClick={() => props.onArchived?.(!props.archived)} sx={{ justifyContent: 'flex-start', px: 2, mt: 0.5, color: 'text.secondary' }}>
            {props.archived ? 'All chats' : 'Archived chats'}
          </Button>
        )}
      </Box>
      {props.children}
    </Box>
  );
}
