import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';

interface BranchPickerProps {
  id: string;
  siblings: string[];
  onChoose: (id: string) => void;
}

/** Between versions of a question or of an answer. */
export function BranchPicker({ id, siblings, onChoose }: BranchPickerProps) {
  const at = siblings.indexOf(id);
  if (siblings.length < 2) return null;
  return (
    <Stack direction="row" role="group" aria-label="Versions" sx={{ alignItems: 'center' }}>
      <IconButton size="small" aria-label="Earlier version" disabled={at <= 0} onClick={() => onChoose(siblings[at - 1]!)}>
        <ChevronLeft fontSize="inherit" />
      </IconButton>
      <Typography variant="caption">{at + 1}/{siblings.length}</Typography>
      <IconButton size="small" aria-label="Later version" disabled={at >= siblings.length - 1} onClick={() => onChoose(siblings[at + 1]!)}>
        <ChevronRight fontSize="inherit" />
      </IconButton>
    </Stack>
  );
}
