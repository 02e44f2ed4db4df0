import PushPinOutlined from '@mui/icons-material/PushPinOutlined';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { lazy, useState } from 'react';
import { metadataOf, type DataChatMessage } from '../../api/types';
import { LazyPart } from '../common/LazyPart';

const PinDialog = lazy(() => import('./PinDialog'));

/** Pins an answer that has rows to a board. */
export function PinButton({ message, question }: { message: DataChatMessage; question: string }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const steps = (metadataOf(message)?.stepResults ?? []).filter((step) => step.sqlResult?.sql && step.sqlResult.data && !step.error);
  if (steps.length === 0) return null;
  return (
    <>
      <Tooltip title="Pin to board">
        <IconButton size="small" aria-label="Pin to board" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <PushPinOutlined fontSize="inherit" />
        </IconButton>
      </Tooltip>
      {open && (
        <LazyPart onClose={close}><PinDialog messageId={message.id} question={question} steps={steps} onClose={close} /></LazyPart>
      )}
    </>
  );
}
