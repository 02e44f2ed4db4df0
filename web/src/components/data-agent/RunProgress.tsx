import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useElapsedTimer } from '../../hooks/useElapsedTimer';
import type { PhaseProgress } from '../../utils/runState';
import { PhaseIndicator } from './PhaseIndicator';

interface RunProgressProps {
  progress: PhaseProgress;
  startedAt: number | null;
}

/** The phases and the time, while an answer is written. */
export function RunProgress({ progress, startedAt }: RunProgressProps) {
  const elapsed = useElapsedTimer(startedAt, true);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, py: 1, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <PhaseIndicator currentPhase={progress.current} completedPhases={progress.completed} phases={progress.phases} />
      </Box>
      <Typography variant="body2" role="timer" aria-label="Elapsed time" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {elapsed}
      </Typography>
    </Box>
  );
}
