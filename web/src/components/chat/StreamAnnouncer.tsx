import { useEffect, useState } from 'react';
import { metadataOf, type DataChatMessage } from '../../api/types';
import { phaseName } from '../../utils/phases';

interface StreamAnnouncerProps {
  phase: string | null;
  /** For an agent without phases: its current activity. */
  activity?: string;
  streaming: boolean;
  /** How the answer ended. */
  answer?: DataChatMessage;
}

function outcomeOf(answer: DataChatMessage | undefined): string {
  if (answer?.status === 'complete') return 'The answer is ready';
  if (answer?.status === 'clarification_needed') return 'The answer asks a question back';
  if (answer?.status !== 'failed') return '';
  const error = metadataOf(answer)?.error;
  if (!error) return 'The answer has ended';
  return error.code === 'CANCELLED' ? 'Stopped' : 'The answer failed';
}

/** Announces phases or tool calls to screen readers, but not each piece of text. */
export function StreamAnnouncer({ phase, activity = '', streaming, answer }: StreamAnnouncerProps) {
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    if (streaming) setBegun(true);
  }, [streaming]);
  const now = phase ? `${phaseName(phase)} is at work` : activity;
  const said = streaming ? now : begun ? outcomeOf(answer) : '';
  return <div aria-live="polite" className="visually-hidden">{said}</div>;
}
