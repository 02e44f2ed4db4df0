import Edit from '@mui/icons-material/EditOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { CopyButton } from '../common/CopyButton';
import { Later } from '../common/Later';

interface UserMessageProps {
  content: string;
  /** Asks again with another text; absent if the user may not. */
  onEdit?: (content: string) => void;
  editing?: boolean;
  onEditing?: (editing: boolean) => void;
  disabled?: boolean;
  /** Far from the visible area: leave out the buttons. */
  textOnly?: boolean;
  children?: ReactNode;
}

interface EditorProps {
  content: string;
  onSave: (content: string) => void;
  onCancel: () => void;
}

function Editor({ content, onSave, onCancel }: EditorProps) {
  const [text, setText] = useState(content);
  const save = () => text.trim() && onSave(text.trim());
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      save();
    }
  };
  return (
    <Stack spacing={1} sx={{ width: '100%', maxWidth: 640 }}>
      <TextField multiline fullWidth autoFocus label="Edit the question" value={text}
        onChange={(e) => setText(e.target.value)} onKeyDown={onKeyDown} />
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="contained" onClick={save} disabled={!text.trim()}>Ask again</Button>
      </Stack>
    </Stack>
  );
}

/** A question, aligned right, in the primary color. */
export function UserMessage(props: UserMessageProps) {
  const { content, onEdit, editing = false, onEditing, disabled = false, textOnly = false, children } = props;
  const buttonId = useId();
  if (editing && onEdit) {
    const save = (text: string) => {
      onEditing?.(false);
      onEdit(text);
    };
    return (
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 2 }}>
        <Editor content={content} onSave={save} onCancel={() => onEditing?.(false)} />
      </Box>
    );
  }
  return (
    <Box data-role="user" sx={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', mb: 2 }}>
      <Paper elevation={0} sx={{ bgcolor: 'primary.main', color: 'primary.contrastText', px: 2, py: 1, maxWidth: '85%' }}>
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{content}</Typography>
      </Paper>
      <Stack direction="row" sx={{ alignItems: 'center', minHeight: 28 }}>
        {!textOnly && (
          <Later>
            {children}
            <CopyButton text={content} what="question" />
            {onEdit && (
              <IconButton id={buttonId} size="small" aria-label="Edit the question" disabled={disabled} onClick={() => onEditing?.(true)}>
                <Edit fontSize="inherit" />
              </IconButton>
            )}
          </Later>
        )}
      </Stack>
    </Box>
  );
}
