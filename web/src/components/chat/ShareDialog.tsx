import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { done, http, unwrap } from '../../api/client';
import { keys } from '../../api/keys';
import { CopyButton } from '../common/CopyButton';
import { ErrorCard } from '../common/ErrorCard';

const DAY_MS = 86_400_000;
/** 0: never. */
const PERIODS: [number, string][] = [[1, 'In 1 day'], [7, 'In 7 days'], [30, 'In 30 days'], [90, 'In 90 days'], [0, 'Never']];
const USUAL_DAYS = 30;

type Share = NonNullable<ReturnType<typeof useShare>['share']>;

function whatIsShared(share: Share): string {
  const until = share.expiresAt === null ? 'does not expire'
    : `${share.isActive ? 'expires' : 'expired'} ${new Date(share.expiresAt).toLocaleString()}`;
  return `This chat has a link, created ${new Date(share.createdAt).toLocaleString()}${share.includeSql ? ', with SQL and rows' : ''}. It ${until}.`;
}

/** Null if the chat has no link. */
function useShare(chatId: string) {
  const cache = useQueryClient();
  const params = { path: { chatId } };
  const query = useQuery({
    queryKey: keys.share(chatId),
    queryFn: () => unwrap(http.GET('/api/data-agent/chats/{chatId}/shares', { params })),
  });
  const changed = () => cache.invalidateQueries({ queryKey: keys.share(chatId) });
  const make = async (includeSql: boolean, days: number) => {
    const expiresAt = days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null;
    const body = { includeSql, expiresAt };
    const link = await unwrap(http.POST('/api/data-agent/chats/{chatId}/share', { params, body }));
    await changed();
    return new URL(link.url, location.origin).href;
  };
  const end = async () => {
    await done(http.DELETE('/api/data-agent/chats/{chatId}/share', { params }));
    await changed();
  };
  return { share: query.data?.[0] ?? null, make, end };
}

/** Creates or revokes a link that shows the chat as it is now. */
export default function ShareDialog({ chatId, onClose }: { chatId: string; onClose: () => void }) {
  const { share, make, end } = useShare(chatId);
  const [includeSql, setIncludeSql] = useState(false);
  const [days, setDays] = useState(USUAL_DAYS);
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
            {!includeSql && ' Tables of rows are left out, also those in the text of an answer.'}
          </Typography>
          <FormControlLabel control={<Switch checked={includeSql} onChange={(e) => setIncludeSql(e.target.checked)} />} label="Include SQL and rows" />
          <TextField select size="small" label="Expires" value={days} onChange={(e) => setDays(Number(e.target.value))} sx={{ maxWidth: 220 }}>
            {PERIODS.map(([value, name]) => <MenuItem key={value} value={value}>{name}</MenuItem>)}
          </TextField>
          {url && (
            <Stack direction="row" sx={{ alignItems: 'center' }}>
              <TextField fullWidth size="small" label="Link" value={url} slotProps={{ htmlInput: { readOnly: true } }} />
              <CopyButton text={url} what="link" />
            </Stack>
          )}
          {share && (
            <Alert severity={share.isActive ? 'info' : 'warning'}>
              {whatIsShared(share)} {url ? 'Copy it now: it is shown only once.' : 'A link is shown only once; a new link replaces it.'}
            </Alert>
          )}
          {Boolean(error) && <ErrorCard title="The link could not be changed" error={error} />}
        </Stack>
      </DialogContent>
      <DialogActions>
        {share && <Button color="error" onClick={() => attempt(end)}>Stop sharing</Button>}
        <Button onClick={onClose}>Close</Button>
        <Button variant="contained" onClick={() => attempt(() => make(includeSql, days))}>{share ? 'New link' : 'Create link'}</Button>
      </DialogActions>
    </Dialog>
  );
}
