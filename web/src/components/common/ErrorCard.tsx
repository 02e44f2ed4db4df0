import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../../api/errors';
import { CopyButton } from './CopyButton';

interface ErrorCardProps {
  title: string;
  error: unknown;
  code?: string;
  onRetry?: () => void;
  /** What the operator can search for, where there is no request id. */
  reference?: string;
  children?: ReactNode;
}

function described(error: unknown, code?: string): { code?: string; requestId: string | null } {
  if (error instanceof ApiError) return { code: code ?? error.code, requestId: error.requestId };
  return { code, requestId: null };
}

/** An error: what failed, what to do, and the request id for the operator. */
export function ErrorCard({ title, error, code, onRetry, reference, children }: ErrorCardProps) {
  const about = described(error, code);
  const message = messageOf(error);
  const details = [title, message, about.code, about.requestId && `request ${about.requestId}`, reference];
  return (
    <Alert
      severity="error"
      variant="outlined"
      sx={{ my: 1, '& .MuiAlert-message': { minWidth: 0, flex: 1 } }}
      action={
        <Stack direction="row" sx={{ alignItems: 'center' }}>
          <CopyButton text={details.filter(Boolean).join('\n')} what="details" />
          {onRetry && (
            <Button size="small" color="inherit" onClick={onRetry}>
              Retry
            </Button>
          )}
        </Stack>
      }
    >
      <AlertTitle>{title}</AlertTitle>
      {message}
      {children}
      {(about.code || about.requestId || reference) && (
        <Typography variant="caption" component="p" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {[about.code, about.requestId && `request ${about.requestId}`, reference].filter(Boolean).join(' · ')}
        </Typography>
      )}
    </Alert>
  );
}
