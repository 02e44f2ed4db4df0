import Star from '@mui/icons-material/Star';
import StarBorder from '@mui/icons-material/StarBorder';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { lazy, useState } from 'react';
import { metadataOf, type DataChatMessage } from '../../api/types';
import { useMarked, useMayTrust, useOntologyOf } from '../../hooks/useTrustedAnswers';
import { LazyPart } from '../common/LazyPart';

const TrustDialog = lazy(() => import('./TrustDialog'));

/** A star at an answer, for those who may mark it as trusted. */
export function TrustStar({ message, question }: { message: DataChatMessage; question: string }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const mayTrust = useMayTrust()(useOntologyOf(message.chatId));
  const marked = useMarked(message.id, open);
  const metadata = metadataOf(message);
  const steps = (metadata?.stepResults ?? []).filter((step) => step.sqlResult?.sql);
  if (!mayTrust || steps.length === 0) return null;
  const label = marked ? 'Trusted: change or remove' : 'Mark as trusted';
  return (
    <>
      <Tooltip title={label}>
        <IconButton size="small" aria-label={label} aria-haspopup="dialog" aria-pressed={Boolean(marked)}
          color={marked ? 'primary' : 'default'} onClick={() => setOpen(true)}>
          {marked ? <Star fontSize="inherit" /> : <StarBorder fontSize="inherit" />}
        </IconButton>
      </Tooltip>
      {open && marked !== undefined && (
        <LazyPart onClose={close}>
          <TrustDialog messageId={message.id} question={question} steps={steps} marked={marked} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
