import { createContext, use, useEffect, useState, type ReactNode } from 'react';

/** Outside of a page that begins, everything is shown at once. */
const Begun = createContext(true);

/** Around a page that begins: its first frame has what its reader came for, and the next one the rest. */
export function Beginning({ children }: { children: ReactNode }) {
  const [begun, setBegun] = useState(document.hidden); // a hidden page gets no frames
  useEffect(() => {
    let later = 0;
    const frame = requestAnimationFrame(() => { later = window.setTimeout(() => setBegun(true)); });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(later);
    };
  }, []);
  return <Begun value={begun}>{children}</Begun>;
}

/** False while the first frame is rendered. */
export const useBegun = (): boolean => use(Begun);

interface LaterProps {
  /** Has its place in the first frame, so that nothing moves. */
  instead?: ReactNode;
  children: ReactNode;
}

/** Left out of the first frame: what is around an answer. */
export function Later({ instead = null, children }: LaterProps) {
  return useBegun() ? children : instead;
}
