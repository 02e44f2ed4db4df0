import { useCallback, useState } from 'react';

/** Drawn beyond what is seen, on each side; the window moves in steps of as many. */
const SPARE = 15;

/** Which of many rows of one height are in sight of a scrolled box. */
export function useRowWindow(count: number, rowHeight: number, boxHeight: number) {
  const [first, setFirst] = useState(0);
  const onScroll = useCallback(
    (top: number) => setFirst(Math.floor(top / rowHeight / SPARE) * SPARE),
    [rowHeight],
  );
  const most = Math.ceil(boxHeight / rowHeight);
  const from = Math.max(0, Math.min(first, count - most) - SPARE);
  const to = Math.min(count, from + most + 3 * SPARE);
  return { from, to, above: from * rowHeight, below: (count - to) * rowHeight, onScroll };
}
