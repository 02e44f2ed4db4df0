import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useElapsedTimer } from '../../hooks/useElapsedTimer';
import { AGENTS, type Agent } from '../../utils/agents';
import { STUDY_FAILED, STUDY_PHASES } from '../../utils/phases';
import type { PhaseProgress } from '../../utils/runState';
import { activityOf, type LoopRound } from '../../utils/toolLoop';
import { PhaseIndicator } from './PhaseIndicator';

interface RunProgressProps {
  agent: Agent;
  progress: PhaseProgress;
  rounds: LoopRound[];
  startedAt: number | null;
}

/** The current activity of an agent without phases, and the number of its tool calls. */
function LoopProgress({ rounds }: { rounds: LoopRound[] }) {
  const calls = rounds.reduce((sum, round) => sum + round.calls.length, 0);
  return (
    <Typography variant="body2" noWrap>
      {activityOf(rounds)}…
      {calls > 0 && (
        <Typography variant="caption" component="span" color="textSecondary" sx={{ ml: 1 }}>
          {calls === 1 ? '1 tool call' : `${calls} tool calls`}
        </Typography>
      )}
    </Typography>
  );
}

/** Those that are shown: of a study that failed, the failure instead of what did not follow. */
function phasesOf(agent: Agent, { current, completed }: PhaseProgress): string[] {
  const failed = current === STUDY_FAILED || completed.includes(STUDY_FAILED);
  return failed ? [...STUDY_PHASES.slice(0, 2), STUDY_FAILED] : AGENTS[agent].phases;
}

/** The progress and elapsed time of the answer in progress. It is below the conversation, so that nothing moves when it disappears. */
export function RunProgress({ agent, progress, rounds, startedAt }: RunProgressProps) {
  const elapsed = useElapsedTimer(startedAt, true);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, py: 0.5, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {AGENTS[agent].phases.length > 0 ? (
          <PhaseIndicator currentPhase={progress.current} completedPhases={progress.completed} phases={phasesOf(agent, progress)} />
        ) : (
          <LoopProgress rounds={rounds} />
        )}
      </Box>
      <Typography variant="body2" role="timer" aria-label="Elapsed time" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {elapsed}
      </Typography>
    </Box>
  );
}
