import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { done, http, unwrap } from '../../api/client';
import { ApiError } from '../../api/errors';
import { keys } from '../../api/keys';
import { CopyButton } from '../common/CopyButton';
import { ErrorCard } from '../common/ErrorCard';

/** Null if the chat has no link. */
function useShare(chatId: string) {
  const cache = useQueryClient();
  const params = { path: { chatId } };
  const query = useQuery({
    queryKey: keys.share(chatId),
    queryFn: () =>
      unwrap(http.GET('/api/data-agent/chats/{chatId}/share', { params })).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
  });
  const changed = () => cache.invalidateQueries({ queryKey: keys.share(chatId) });
  const make = async (includeSql: boolean) => {
    const body = { includeSql };
    const link = await unwrap(http.POST('/api/data-agent/chats/{chatId}/share', { params, body }));
    await changed();
    return new URL(link.url, location.origin).href;
  };
  const end = async () => {
    await done(http.DELETE('/api/data-agent/chats/{chatId}/share', { params }));
    await changed();
  };
  return { share: query.data ?? null, make, end };
}

/** Creates or revokes a link that shows the chat as it is now. */
export default function ShareDialog({ chatId, onClose }: { chatId: string; onClose: () => void }) {
  const { share, make, end } = useShare(chatId);
  const [includeSql, setIncludeSql] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const attempt = (act: () => Promise<string | void>) => {
    setError(null);
    act().then((made) => setUrl(made ?? null), setError);
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="share-title">
      <DialogTitle id="share-title">Share this chat</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <Typography variant="body2">
            Anyone with the link can read the questions, answers, badges, lineage and charts as they are now. Later questions are not included.
          </Typography>
          <FormControlLabel control={<Switch checked={includeSql} onChange={(e) => setIncludeSql(e.target.checked)} />} label="Include SQL and rows" />
          {url && (
            <Stack direction="row" sx={{ alignItems: 'center' }}>
              <TextField fullWidth size="small" label="Link" value={url} slotProps={{ htmlInput: { readOnly: true } }} />
              <CopyButton text={url} what="link" />
            </Stack>
          )}
          {share && !url && (
            <Alert severity="info">
              This chat has a link, created {new Date(share.createdAt).toLocaleString()}{share.includeSql ? ', with SQL and rows' : ''}. A link is shown only once; a new link replaces it.
            </Alert>
          )}
          {Boolean(error) && <ErrorCard title="The link could not be changed" error={error} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        {share && <Button color="error" onClick={() => attempt(end)}>Stop sharing</Button>}
        <Button onClick={onClose}>Close</Button>
        <Button variant="contained" onClick={() => attempt(() => make(includeSql))}>{share ? 'New link' : 'Create link'}</Button>
      </DialogActions>
    </Dialog>
  );
}
