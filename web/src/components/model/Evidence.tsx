import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { reasonOf } from '../../api/errors';
import type { RelationshipEvidence } from '../../api/types';
import { useEvidence, type Ends } from '../../hooks/useModel';

const n = (count: number | undefined) => (count ?? 0).toLocaleString('en-US');

function share({ rowsMatched = 0, rowsWithKey = 0 }: RelationshipEvidence): string {
  if (rowsWithKey === 0) return 'no row has a value';
  const percent = (100 * rowsMatched) / rowsWithKey;
  return `${percent === 100 || percent < 99.95 ? percent.toFixed(percent === 100 ? 0 : 1) : '99.9'} %`;
}

/** The sentences, and whether the data speaks for the relationship. */
export function evidenceOf(e: RelationshipEvidence, ends: Ends): { good: boolean; lines: string[] } {
  const rows = e.sampled ? `Of the first ${n(e.rowsRead)} rows` : `Of ${n(e.rowsRead)} rows`;
  const missing = (e.rowsRead ?? 0) - (e.rowsWithKey ?? 0);
  const lines = [
    `${rows} of ${ends.from}, ${n(e.rowsMatched)} have a row of ${ends.to} (${share(e)}${missing ? `; ${n(missing)} have no value` : ''}).`,
    e.oneSideUnique
      ? `Each of the ${n(e.oneRows)} rows of ${ends.to} has a value of its own: the join repeats no row.`
      : `The ${n(e.oneRows)} rows of ${ends.to} have only ${n(e.oneKeys)} different values: a join repeats rows of ${ends.from}.`,
  ];
  return { good: Boolean(e.oneSideUnique) && e.rowsMatched === e.rowsWithKey && (e.rowsWithKey ?? 0) > 0, lines };
}

/** What the data says about a relationship. */
export function Evidence({ modelId, ends }: { modelId: string; ends: Ends | null }) {
  const { data, error, waiting } = useEvidence(modelId, ends);
  if (!ends) return null;
  const found = data && data.problem === undefined ? evidenceOf(data, ends) : null;
  return (
    <Box role="status" aria-label="Evidence" sx={{ minHeight: 72 }}>
      {waiting && <Typography variant="body2" color="textSecondary">Looking at the data…</Typography>}
      {!waiting && Boolean(error) && <Alert severity="error">{reasonOf(error)}</Alert>}
      {!waiting && data?.problem !== undefined && <Alert severity="warning">{data.problem}</Alert>}
      {!waiting && found && (
        <Alert severity={found.good ? 'success' : 'warning'}>
          {found.lines.map((line) => <p key={line} style={{ margin: 0 }}>{line}</p>)}
        </Alert>
      )}
    </Box>
  );
}
