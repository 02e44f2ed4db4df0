import ThumbDown from '@mui/icons-material/ThumbDownOutlined';
import ThumbUp from '@mui/icons-material/ThumbUpOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import { useSnackbar } from 'notistack';
import { useState } from 'react';
import { http, unwrap } from '../../api/client';
import { messageOf } from '../../api/errors';
import type { DataChatMessage } from '../../api/types';

type Rating = 'up' | 'down' | null;

interface FeedbackButtonsProps {
  messageId: string;
  feedback: DataChatMessage['feedback'];
}

function useRating(messageId: string, given: Rating) {
  const [rating, setRating] = useState<Rating>(given);
  const { enqueueSnackbar } = useSnackbar();
  const rate = async (next: Rating, reason?: string) => {
    setRating(next);
    try {
      const params = { path: { messageId } };
      const body = reason ? { rating: next, reason } : { rating: next };
      await unwrap(http.POST('/api/data-agent/messages/{messageId}/feedback', { params, body }));
    } catch (error) {
      setRating(rating);
      enqueueSnackbar(messageOf(error), { variant: 'error' });
    }
  };
  return { rating, rate };
}

/** Rates an answer, with an optional reason for a bad rating. */
export function FeedbackButtons({ messageId, feedback }: FeedbackButtonsProps) {
  const { rating, rate } = useRating(messageId, feedback?.rating ?? null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [reason, setReason] = useState('');
  const press = (wanted: 'up' | 'down', target: HTMLElement) => {
    void rate(rating === wanted ? null : wanted);
    if (wanted === 'down' && rating !== 'down') setAnchor(target);
  };
  const send = () => {
    if (reason.trim()) void rate('down', reason.trim());
    setAnchor(null);
  };
  return (
    <>
      <Tooltip title="Good answer">
        <IconButton size="small" aria-label="Good answer" aria-pressed={rating === 'up'}
          color={rating === 'up' ? 'primary' : 'default'} onClick={(e) => press('up', e.currentTarget)}>
          <ThumbUp fontSize="inherit" />
        </IconButton>
      </Tooltip>
      <Tooltip title="Bad answer">
        <IconButton size="small" aria-label="Bad answer" aria-pressed={rating === 'down'}
          color={rating === 'down' ? 'error' : 'default'} onClick={(e) => press('down', e.currentTarget)}>
          <ThumbDown fontSize="inherit" />
        </IconButton>
      </Tooltip>
      <Popover open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'What was wrong?' } }}>
        <Stack spacing={1} sx={{ p: 2, width: 300 }}>
          <TextField label="What was wrong? (optional)" multiline minRows={2} autoFocus value={reason}
            onChange={(e) => setReason(e.target.value)} slotProps={{ htmlInput: { maxLength: 2000 } }} />
          <Button variant="contained" onClick={send}>Send</Button>
        </Stack>
      </Popover>
    </>
  );
}
