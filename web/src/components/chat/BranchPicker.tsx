import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';

interface BranchPickerProps {
  id: string;
  siblings: string[];
  onChoose: (id: string) => void;
}

/** The version chosen last, and the button that chose it. */
let chosen: { id: string; by: string } | null = null;

/** The chosen version is another message with its own picker: the focus moves to that picker. */
function useKeyboardGoesAlong(id: string) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen?.id !== id) return;
    const buttons = [...(group.current?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
    const same = buttons.find((button) => button.ariaLabel === chosen?.by);
    if (document.activeElement === document.body) (same ?? buttons[0])?.focus();
    chosen = null;
  }, [id]);
  return group;
}

/** Switches between the versions of a question or an answer. */
export function BranchPicker({ id, siblings, onChoose }: BranchPickerProps) {
  const at = siblings.indexOf(id);
  const group = useKeyboardGoesAlong(id);
  const choose = (step: number, by: string) => {
    chosen = { id: siblings[at + step]!, by };
    onChoose(chosen.id);
  };
  if (siblings.length < 2) return null;
  return (
    <Stack ref={group} direction="row" role="group" aria-label="Versions" sx={{ alignItems: 'center' }}>
      <IconButton size="small" aria-label="Earlier version" disabled={at <= 0} onClick={() => choose(-1, 'Earlier version')}>
        <ChevronLeft fontSize="inherit" />
      </IconButton>
      <Typography variant="caption">{at + 1}/{siblings.length}</Typography>
      <IconButton size="small" aria-label="Later version" disabled={at >= siblings.length - 1} onClick={() => choose(1, 'Later version')}>
        <ChevronRight fontSize="inherit" />
      </IconButton>
    </Stack>
  );
}
