import { useEffect, useRef, useState } from 'react';

const MOST = 5;

/**
 * Questions that wait for the answer in progress. Each is sent when the one before has its answer;
 * after an answer that failed, was stopped or asks back, they wait for the user. They belong to this
 * tab: another one would send them, too.
 */
export function useQueue(chatId: string | undefined, busy: boolean, answered: boolean, send: (question: string) => void) {
  const [queue, setQueue] = useState<string[]>([]);
  const wasBusy = useRef(busy);
  useEffect(() => setQueue([]), [chatId]);
  useEffect(() => {
    const over = wasBusy.current && !busy;
    wasBusy.current = busy;
    if (!over || !answered || queue.length === 0) return;
    setQueue(queue.slice(1));
    send(queue[0]!);
  }, [busy, answered, queue, send]);
  return {
    queue,
    isFull: queue.length >= MOST,
    add: (question: string) => setQueue((before) => [...before, question].slice(0, MOST)),
    drop: (at: number) => setQueue((before) => before.filter((_q, i) => i !== at)),
    next: () => {
      if (busy || queue.length === 0) return;
      setQueue(queue.slice(1));
      send(queue[0]!);
    },
  };
}
