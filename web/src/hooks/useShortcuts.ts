import { useEffect } from 'react';

/** Maps "Escape", "?" or "Ctrl+Shift+O" to an action. Ctrl is also the command key of a Mac. */
export type Shortcuts = Record<string, (() => void) | undefined>;

function nameOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const shift = control && event.shiftKey ? 'Shift+' : '';
  const key = event.key.length === 1 && control ? event.key.toUpperCase() : event.key;
  return control + shift + key;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, [contenteditable=true]');
}

/** Whether the focus is in a field with text, where Ctrl+Z undoes typing. */
function isText(target: EventTarget | null): boolean {
  return isTyping(target) && (target as HTMLInputElement).value !== '';
}

/** Keys of the whole page. A plain character counts only outside of fields, and no key counts in a dialog. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const act = shortcuts[nameOf(event)];
      if (!act || event.defaultPrevented) return;
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && isTyping(event.target)) return;
      if (nameOf(event) === 'Ctrl+Z' && isText(event.target)) return;
      if (event.key === 'Escape' && document.querySelector('[role=dialog], [role=menu], [role=listbox]')) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [shortcuts]);
}
