import ArrowDownward from '@mui/icons-material/ArrowDownward';
import QueuePlus from '@mui/icons-material/PlaylistAdd';
import Send from '@mui/icons-material/Send';
import Stop from '@mui/icons-material/Stop';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import Paper from '@mui/material/Paper';
import Tooltip from '@mui/material/Tooltip';
import { memo, useRef, type ReactNode } from 'react';
import { useDraft } from '../../hooks/useDraft';

const LONGEST = 10_000;
const PLACEHOLDER = 'Ask a question about your data...';

/**
 * As high as its text, up to five lines: an invisible copy of the text is in the same cell. A script that
 * measured the text would have the browser lay out the page whenever the input is rendered.
 */
const GROWS = {
  display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignItems: 'stretch',
  '& > textarea, &::after': { gridArea: '1 / 1', maxHeight: '5lh' },
  '& > textarea': { overflowX: 'hidden' }, // Firefox keeps room for a scroll bar otherwise
  '&::after': { content: 'attr(data-text) " "', visibility: 'hidden', overflow: 'hidden', whiteSpace: 'pre-wrap', overflowWrap: 'break-word' },
} as const;

interface ChatInputProps {
  /** The key of the draft: a chat's id, or a word. */
  place: string;
  onSend: (content: string) => void;
  onStop?: () => void;
  /** Takes a question while an answer is in progress; it is sent afterwards. */
  onQueue?: (content: string) => void;
  /** Edits the last question, on "Up" in an empty input. */
  onEditLast?: () => void;
  /** Scrolls to the end of the conversation; absent while it is in view. */
  onEnd?: () => void;
  isStreaming?: boolean;
  disabled?: boolean;
  autoFocus?: boolean;
  children?: ReactNode;
}

function StopButton({ onStop, onLeave }: { onStop: () => void; onLeave: () => void }) {
  const stop = (event: React.MouseEvent) => {
    onStop();
    if (event.detail === 0) onLeave(); // by key: the button disappears, so the focus must move
  };
  return (
    <Tooltip title="Stop (Esc)">
      <IconButton color="primary" aria-label="Stop" onClick={stop}><Stop /></IconButton>
    </Tooltip>
  );
}

function SendButton({ disabled, onSend }: { disabled: boolean; onSend: () => void }) {
  return (
    <Tooltip title="Send (Enter)">
      <span>
        <IconButton color="primary" aria-label="Send" onClick={onSend} disabled={disabled}><Send /></IconButton>
      </span>
    </Tooltip>
  );
}

/** The input for a question. While an answer is in progress, a question is queued. */
export const ChatInput = memo(function ChatInput(props: ChatInputProps) {
  const { place, onSend, onStop, onQueue, onEditLast, isStreaming = false, disabled = false } = props;
  const [text, setText] = useDraft(place);
  const field = useRef<HTMLTextAreaElement>(null);
  const take = isStreaming ? onQueue : onSend;
  const ready = take !== undefined && !disabled && text.trim() !== '';
  const send = () => {
    if (!ready) return;
    take(text.trim());
    setText('');
    field.current?.focus();
  };
  const toEnd = (event: React.MouseEvent) => {
    props.onEnd?.();
    if (event.detail === 0) field.current?.focus(); // by key: the button disappears
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
    if (event.key === 'ArrowUp' && text === '' && onEditLast) {
      event.preventDefault();
      onEditLast();
    }
  };
  return (
    <Paper variant="outlined" sx={{ px: 2, py: 1, borderRadius: 3, '&:has(#question:focus-visible)': { borderColor: 'primary.main', boxShadow: (t) => `0 0 0 1px ${t.vars?.palette.primary.main ?? t.palette.primary.main}` } }}>
      <InputBase
        multiline fullWidth inputComponent="textarea" rows={1} sx={GROWS} data-text={text || PLACEHOLDER} value={text} autoFocus={props.autoFocus}
        inputRef={field} id="question"
        placeholder={PLACEHOLDER}
        onChange={(e) => setText(e.target.value.slice(0, LONGEST))} onKeyDown={onKeyDown}
        inputProps={{ 'aria-label': 'Your question' }}
      />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>{props.children}</Box>
        {props.onEnd && (
          <Tooltip title="To the latest message">
            <IconButton aria-label="To the latest message" onClick={toEnd}><ArrowDownward /></IconButton>
          </Tooltip>
        )}
        {isStreaming && ready && (
          <Tooltip title="Ask after this answer (Enter)">
            <IconButton color="primary" aria-label="Ask next" onClick={send}><QueuePlus /></IconButton>
          </Tooltip>
        )}
        {isStreaming && onStop ? (
          <StopButton onStop={onStop} onLeave={() => field.current?.focus()} />
        ) : (
          <SendButton disabled={!ready} onSend={send} />
        )}
      </Box>
    </Paper>
  );
});
