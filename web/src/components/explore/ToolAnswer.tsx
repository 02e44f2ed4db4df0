import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import ErrorOutlined from '@mui/icons-material/ErrorOutlined';
import WarningAmber from '@mui/icons-material/WarningAmber';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Check, Verdict } from '../../utils/toolOutput';
import { verdictText } from '../../utils/toolOutput';

const MARK_SX = { fontSize: 18, mt: 0.25, flexShrink: 0 };

/** The outcome is in words as well, for those who do not see the mark. */
export function Mark({ passed, fails }: Pick<Check, 'passed' | 'fails'>) {
  if (passed) return <CheckCircleOutlined titleAccess="Passed" color="success" sx={MARK_SX} />;
  return fails ? <ErrorOutlined titleAccess="Failed" color="error" sx={MARK_SX} /> : <WarningAmber titleAccess="Warning" color="warning" sx={MARK_SX} />;
}

/** What the checks of a finding found, the worst first. */
export function VerdictView({ verdict }: { verdict: Verdict }) {
  const weight = ({ passed, fails }: Check) => (passed ? 2 : fails ? 0 : 1);
  const checks = verdict.checks.toSorted((a, b) => weight(a) - weight(b));
  return (
    <Box sx={{ mb: 1 }}>
      <Typography variant="body2"><strong>{verdictText(verdict)}</strong>{verdict.confidence && `, confidence: ${verdict.confidence}`}</Typography>
      <Box component="ul" sx={{ m: 0, mt: 0.5, p: 0, listStyle: 'none' }}>
        {checks.map((check, i) => (
          <Box key={i} component="li" sx={{ display: 'flex', gap: 1, py: 0.25 }}>
            <Mark {...check} />
            <Typography variant="body2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>{check.message}</Typography>
          </Box>
        ))}
      </Box>
      {verdict.note && <Typography variant="body2" color="textSecondary">{verdict.note}</Typography>}
    </Box>
  );
}

/** Sentences about what looks wrong with the data. */
export function IssuesView({ issues }: { issues: string[] }) {
  return (
    <Box component="ul" aria-label="What looks wrong" sx={{ m: 0, mb: 1, p: 0, listStyle: 'none' }}>
      {issues.map((issue, i) => (
        <Box key={i} component="li" sx={{ display: 'flex', gap: 1, py: 0.25 }}>
          <Mark passed={false} fails={false} />
          <Typography variant="body2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>{issue}</Typography>
        </Box>
      ))}
    </Box>
  );
}
