import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { lineDiff, type DiffLine } from '../../utils/lineDiff';

const SIGNS = { same: ' ', added: '+', removed: '-', gap: '⋯' } as const;
const COLORS = {
  same: undefined, gap: undefined,
  added: 'color-mix(in srgb, var(--mui-palette-success-main) 18%, transparent)',
  removed: 'color-mix(in srgb, var(--mui-palette-error-main) 18%, transparent)',
} as const;
const WORDS: Record<DiffLine['kind'], string> = { same: '', gap: '', added: 'added: ', removed: 'removed: ' };
const HIDDEN = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } as const;

/** What is different between two texts, by lines. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = lineDiff(before, after);
  if (lines.length === 0) return <Typography variant="body2" color="textSecondary">The texts are the same.</Typography>;
  return (
    <Box tabIndex={0} role="group" aria-label="Changed lines" component="div"
      sx={{ position: 'relative', border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'auto', maxHeight: 420, fontFamily: 'monospace', fontSize: 13, lineHeight: 1.5, p: 1, my: 1 }}>
      {lines.map((line, i) => (
        <Box key={i} sx={{ whiteSpace: 'pre', bgcolor: COLORS[line.kind], width: 'max-content', minWidth: '100%' }}>
          <span aria-hidden="true">{SIGNS[line.kind]} </span>
          {WORDS[line.kind] && <Box component="span" sx={HIDDEN}>{WORDS[line.kind]}</Box>}
          {line.text}
        </Box>
      ))}
    </Box>
  );
}

/** What is different, in words. */
export function ChangeList({ changes, otherwise }: { changes: string[]; otherwise: string }) {
  if (changes.length === 0) return <Typography variant="body2">{otherwise}</Typography>;
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
      {changes.map((change) => <Typography key={change} component="li" variant="body2">{change}</Typography>)}
    </Box>
  );
}
