import { startTransition, useEffect, useState } from 'react';

/**
 * The value that was shown last, and when this frame is on the screen, the new one: what changes with it is
 * rendered with low priority, and apart from all else. At the beginning it is `first`.
 */
export function useAfterwards<T>(value: T, first = value): T {
  const [shown, setShown] = useState(first);
  useEffect(() => startTransition(() => setShown(value)), [value]);
  return shown;
}
