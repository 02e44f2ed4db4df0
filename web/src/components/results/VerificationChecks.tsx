import CheckCircle from '@mui/icons-material/CheckCircle';
import ErrorIcon from '@mui/icons-material/Error';
import Warning from '@mui/icons-material/Warning';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import type { VerificationReport } from '../../api/types';
import { checkLabel } from '../../utils/checkLabel';

type Check = VerificationReport['checks'][number];

function CheckIcon({ check }: { check: Check }) {
  if (check.passed) return <CheckCircle color="success" fontSize="small" titleAccess="passed" />;
  if (check.severity === 'warn')
    return <Warning color="warning" fontSize="small" titleAccess="warning" />;
  return <ErrorIcon color="error" fontSize="small" titleAccess="failed" />;
}

function Line({ check }: { check: Check }) {
  return (
    <ListItem disableGutters sx={{ alignItems: 'flex-start' }}>
      <ListItemIcon sx={{ minWidth: 32, mt: 0.75 }}>
        <CheckIcon check={check} />
      </ListItemIcon>
      <ListItemText primary={<span title={check.name}>{checkLabel(check.name)}</span>} secondary={check.message} sx={{ overflowWrap: 'anywhere' }} />
    </ListItem>
  );
}

/** The checks of an answer with their findings. */
export function VerificationChecks({ report }: { report: Partial<VerificationReport> }) {
  const checks = report.checks ?? [];
  return (
    <>
      {report.status === 'skipped' && (
        <Typography variant="body2">The checks could not run: the answer is not verified.</Typography>
      )}
      {report.diagnosis && <Typography variant="body2">{report.diagnosis}</Typography>}
      {checks.length === 0 && report.status !== 'skipped' && (
        <Typography variant="body2">No check was run.</Typography>
      )}
      <List dense disablePadding>
        {checks.map((check, i) => (
          <Line key={i} check={check} />
        ))}
      </List>
    </>
  );
}
