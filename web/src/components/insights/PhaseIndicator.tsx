import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Step from '@mui/material/Step';
import StepLabel from '@mui/material/StepLabel';
import Stepper from '@mui/material/Stepper';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { PHASES, phaseName } from '../../utils/phases';

interface PhaseIndicatorProps {
  currentPhase: string | null;
  completedPhases: string[];
  phases?: string[];
}

function Compact({ currentPhase, completedPhases, phases = PHASES }: PhaseIndicatorProps) {
  const at = currentPhase ? phases.indexOf(currentPhase) + 1 : completedPhases.length;
  const name = currentPhase ?? completedPhases.at(-1) ?? phases[0]!;
  const share = (100 * completedPhases.length) / phases.length;
  return (
    <Box>
      <Typography variant="body2" aria-current={currentPhase ? 'step' : undefined}>
        {Math.max(1, at)}/{phases.length} {phaseName(name)}
      </Typography>
      <LinearProgress variant="determinate" value={share} aria-label="Completed phases" />
    </Box>
  );
}

/** The six phases: completed, current and pending. */
export function PhaseIndicator(props: PhaseIndicatorProps) {
  const { currentPhase, completedPhases, phases = PHASES } = props;
  const narrow = useMediaQuery('(max-width:899px)');
  if (narrow) return <Compact {...props} />;
  return (
    <Stepper alternativeLabel activeStep={-1} sx={{ width: '100%' }}>
      {phases.map((phase) => (
        <Step
          key={phase}
          active={phase === currentPhase}
          completed={phase !== currentPhase && completedPhases.includes(phase)}
          aria-current={phase === currentPhase ? 'step' : undefined}
        >
          <StepLabel>{phaseName(phase)}</StepLabel>
        </Step>
      ))}
    </Stepper>
  );
}
