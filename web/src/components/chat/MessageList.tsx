import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { memo, useDeferredValue } from 'react';
import type { Shown } from '../../utils/branches';
import type { RunStore } from '../../utils/runStore';
import { ChatMessage, type ChatMessageProps } from './ChatMessage';
import { PendingQuestion } from './PendingQuestion';

interface MessageListProps
  extends Pick<ChatMessageProps, 'onChoose' | 'onEdit' | 'onEditing' | 'onRegenerate' | 'onResized' | 'onSend'> {
  path: Shown[];
  pending: string | null;
  store: RunStore;
  busy: boolean;
  /** The question that the user is editing. */
  editing?: string | null;
  onEarlier?: () => void;
}

/** A stable reference, so that a message is not rendered again. */
const ALONE: string[] = [];

const LATEST = 4;

export const MessageList = memo(function MessageList(props: MessageListProps) {
  const { path, pending, store, busy, editing, onEarlier, onSend, ...acts } = props;
  const last = path.length - 1;
  const disabled = useDeferredValue(busy); // a question is shown before the buttons of all messages change
  return (
    <Box role="log" aria-label="Messages" aria-live="off">
      {onEarlier && <Button fullWidth onClick={onEarlier}>Earlier messages</Button>}
      {path.map(({ message, siblings }, i) => (
        <ChatMessage
          key={message.id}
          message={message}
          siblings={siblings.length > 1 ? siblings : ALONE}
          store={i === last ? store : undefined}
          question={path[i - 1]?.message.content}
          latest={i > last - LATEST}
          disabled={disabled}
          editing={message.id === editing}
          onSend={i === last ? onSend : undefined}
          {...acts}
        />
      ))}
      {pending !== null && <PendingQuestion content={pending} />}
    </Box>
  );
});
