import CheckCircle from '@mui/icons-material/CheckCircle';
import Warning from '@mui/icons-material/Warning';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useState } from 'react';
import type { VerificationReport } from '../../api/types';
import { VerificationChecks } from './VerificationChecks';

type Report = Partial<VerificationReport> & Pick<VerificationReport, 'passed'>;

/** Whether the answer passed its checks; a click opens the checks, if they are known. */
export function VerificationBadge({ report }: { report: Report }) {
  const [open, setOpen] = useState(false);
  const label = report.passed ? 'Verified' : 'Unverified (see caveats)';
  const known = report.checks !== undefined;
  return (
    <>
      <Chip
        size="small"
        variant="outlined"
        icon={report.passed ? <CheckCircle /> : <Warning />}
        label={label}
        color={report.passed ? 'success' : 'warning'}
        onClick={known ? () => setOpen(true) : undefined}
        aria-haspopup={known ? 'dialog' : undefined}
      />
      <Dialog open={open} onClose={() => setOpen(false)} maxWidth="sm" fullWidth aria-labelledby="checks-title">
        <DialogTitle id="checks-title">{label}</DialogTitle>
        {/* It scrolls, also by keys. */}
        <DialogContent tabIndex={0} role="group" aria-labelledby="checks-title">
          <VerificationChecks report={report} />
        </DialogContent>
        <DialogActions><Button onClick={() => setOpen(false)}>Close</Button></DialogActions>
      </Dialog>
    </>
  );
}
