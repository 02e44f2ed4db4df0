import { useEffect, useState } from 'react';
import { phaseName } from '../../utils/phases';

interface StreamAnnouncerProps {
  phase: string | null;
  streaming: boolean;
}

/** Tells a screen reader what goes on, phase by phase: not each piece of text. */
export function StreamAnnouncer({ phase, streaming }: StreamAnnouncerProps) {
  const [said, setSaid] = useState('');
  const [was, setWas] = useState(false);
  useEffect(() => {
    if (streaming && phase) setSaid(`${phaseName(phase)} is at work`);
    if (!streaming && was) setSaid('The answer is ready');
    setWas(streaming);
  }, [phase, streaming, was]);
  return <div aria-live="polite" className="visually-hidden">{said}</div>;
}
