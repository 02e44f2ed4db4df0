import Schedule from '@mui/icons-material/Schedule';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { lazy, useState } from 'react';
import { metadataOf, type DataChatMessage } from '../../api/types';
import { useOntologyOf } from '../../hooks/useTrustedAnswers';
import { rowsOf } from '../../utils/rows';
import { LazyPart } from '../common/LazyPart';

const ScheduleDialog = lazy(() => import('./ScheduleDialog'));

/** Asks the question of an answer again, on a schedule. */
export function ScheduleButton({ message, question }: { message: DataChatMessage; question: string }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const ontologyId = useOntologyOf(message.chatId);
  const steps = (metadataOf(message)?.stepResults ?? []).filter((step) => step.sqlResult && !step.error);
  if (!ontologyId || steps.length === 0) return null;
  const columns = () => [...new Set(steps.flatMap((step) => rowsOf(step.sqlResult!)?.columns ?? [])
    .filter(({ kind }) => kind === 'number').map(({ name }) => name))];
  return (
    <>
      <Tooltip title="Ask on a schedule">
        <IconButton size="small" aria-label="Ask on a schedule" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Schedule fontSize="inherit" />
        </IconButton>
      </Tooltip>
      {open && (
        <LazyPart onClose={close}>
          <ScheduleDialog question={question} ontologyId={ontologyId} columns={columns()} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
