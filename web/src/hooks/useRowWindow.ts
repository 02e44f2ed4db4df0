import { useCallback, useState } from 'react';

/** The rows rendered above and below the visible ones; the window also moves in steps of this size. */
const SPARE = 15;

/** The visible rows of a scrolling box, for rows of equal height. */
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
