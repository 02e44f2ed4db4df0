import { useCallback, useEffect, useRef, useState } from 'react';

const byId = (id: string | undefined) => (id ? document.getElementById(id) : null);

/**
 * The id of the question that the user is editing. Afterwards the focus returns to its previous
 * element or, if that is gone or disabled, to the input.
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
