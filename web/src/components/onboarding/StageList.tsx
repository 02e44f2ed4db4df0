import CheckCircle from '@mui/icons-material/CheckCircle';
import Circle from '@mui/icons-material/RadioButtonUnchecked';
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ModelRun } from '../../api/types';
import { MODEL_STAGES, stageState, type StageState } from '../../utils/modelStages';

function Mark({ state, running }: { state: StageState; running: boolean }) {
  if (state === 'over') return <CheckCircle color="success" fontSize="small" />;
  if (state === 'active' && running) return <CircularProgress size={18} aria-hidden />;
  return <Circle color="disabled" fontSize="small" />;
}

/** The stages of a build and their progress. */
export function StageList({ run }: { run: ModelRun }) {
  const { stage: now, done, total } = run.progress;
  const running = run.status === 'running';
  return (
    <Box component="ol" aria-label="Stages" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 1 }}>
      {MODEL_STAGES.map(([stage, name]) => {
        const state = stageState(stage, now, run.status === 'complete');
        return (
          <Box component="li" key={stage} aria-current={state === 'active' ? 'step' : undefined}>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <Mark state={state} running={running} />
              <Typography variant="body2" color={state === 'ahead' ? 'textSecondary' : 'textPrimary'}>{name}</Typography>
              {state === 'active' && total > 0 && (
                <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
                  {done.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
                </Typography>
              )}
            </Box>
            {state === 'active' && running && total > 0 && (
              <LinearProgress variant="determinate" value={(100 * done) / total} aria-label={name} sx={{ ml: 3.5, mt: 0.5 }} />
            )}
          </Box>
        );
      })}
    </Box>
  );
}
