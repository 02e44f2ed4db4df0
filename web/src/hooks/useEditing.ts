import { useCallback, useEffect, useRef, useState } from 'react';

const byId = (id: string | undefined) => (id ? document.getElementById(id) : null);

/**
 * Which question is edited, by its id. Afterwards the keyboard is where it was before, or, where
 * that is gone or rests, where one asks.
 */
export function useEditing() {
  const [editing, setEditing] = useState<string | null>(null);
  const opener = useRef<string>(undefined);
  const edit = useCallback((id: string | null) => {
    if (id) opener.current = document.activeElement?.id;
    setEditing(id);
  }, []);
  useEffect(() => {
    if (!editing) return undefined;
    return () => {
      const before = byId(opener.current);
      before?.focus();
      if (!before || document.activeElement !== before) byId('question')?.focus();
    };
  }, [editing]);
  return { editing, edit };
}
