import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { ApiError } from '../../api/errors';

/** The thing of the page's address does not exist; 400: the address has no id. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

interface MissingProps {
  /** "chat", "board" */
  what: string;
  to: string;
  /** "To the chats" */
  way: string;
}

/** In the place of something that does not exist, or that belongs to somebody else: says so, and leads back. */
export function Missing({ what, to, way }: MissingProps) {
  return (
    <Stack spacing={2} sx={{ alignItems: 'flex-start', py: 2 }}>
      <Typography variant="h6" component="h2">There is no such {what}</Typography>
      <Typography color="textSecondary">It may have been deleted, it may belong to someone else, or the address may be incomplete.</Typography>
      <Button component={Link} to={to} variant="contained">{way}</Button>
    </Stack>
  );
}
