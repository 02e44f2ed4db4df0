import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';

export const CUT = 'A result was cut: the database has more rows than were read.';

/** The limitations of an answer. */
export function Caveats({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <Alert severity="warning" variant="outlined" sx={{ my: 1 }}>
      {lines.length === 1 ? lines[0] : (
        <Box component="ul" sx={{ m: 0, pl: 2 }}>{lines.map((line) => <li key={line}>{line}</li>)}</Box>
      )}
    </Alert>
  );
}
