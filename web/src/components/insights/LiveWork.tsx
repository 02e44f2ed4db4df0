import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useElapsedTimer } from '../../hooks/useElapsedTimer';
import { asksForChart, chooseChart } from '../../utils/chartChoice';
import { liveWork, type LiveRows } from '../../utils/liveWork';
import { phaseName } from '../../utils/phases';
import { rowsOf } from '../../utils/rows';
import type { DataAgentStreamEvent } from '../../api/types';
import { Markdown } from '../common/Markdown';
import { AnswerContext } from '../results/answerContext';
import { StepEvidence } from '../results/StepEvidence';

const DATASETS_SHOWN = 5;

/** When the phase began; null if it began before this page saw it. */
function usePhaseStart(phase: string | null): number | null {
  const [start, setStart] = useState<number | null>(null);
  const before = useRef(phase);
  useEffect(() => {
    if (before.current === phase) return;
    before.current = phase;
    setStart(Date.now());
  }, [phase]);
  return start;
}

function Datasets({ found }: { found: { name: string; score: number }[] }) {
  const more = found.length - DATASETS_SHOWN;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, alignItems: 'center', mb: 1 }}>
      <Typography variant="caption" color="textSecondary">Datasets found:</Typography>
      {found.slice(0, DATASETS_SHOWN).map(({ name, score }) => (
        <Chip key={name} size="small" variant="outlined" label={score > 0 ? `${name} ${score.toFixed(2)}` : name} />
      ))}
      {more > 0 && <Typography variant="caption" color="textSecondary">and {more} more</Typography>}
    </Box>
  );
}

function FirstRows({ rows }: { rows: LiveRows }) {
  return (
    <Box role="group" aria-label="First rows" sx={{ mb: 1, minWidth: 0, fontSize: 14 }}>
      <Typography variant="caption" color="textSecondary">{rows.description ?? 'First rows'}</Typography>
      <Markdown>{rows.table}</Markdown>
      {rows.count && <Typography variant="caption" color="textSecondary">{rows.count}</Typography>}
    </Box>
  );
}

interface LiveWorkProps {
  events: DataAgentStreamEvent[];
  question: string;
  /** The text of the answer has begun. */
  writing: boolean;
}

/** What the agent is doing now: the phase, the datasets it found, the first rows; for an agent with phases. */
export const LiveWork = memo(function LiveWork({ events, question, writing }: LiveWorkProps) {
  const { phase, about, found, rows, steps, plan } = useMemo(() => liveWork(events), [events]);
  const start = usePhaseStart(phase);
  const elapsed = useElapsedTimer(start, start !== null);
  const facts = useMemo(() => ({ plan, question }), [plan, question]);
  const charted = useMemo(() => {
    if (!asksForChart(question)) return undefined;
    return steps.findLast(({ sqlResult, error }) => {
      const all = !error && sqlResult ? rowsOf(sqlResult) : null;
      return all !== null && chooseChart(all) !== null;
    });
  }, [question, steps]);
  if (phase === null && found.length === 0) return null;
  return (
    <Box data-live sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 36, mb: 1, minWidth: 0 }}>
        {phase !== null && (
          <Typography variant="body2" noWrap sx={{ flex: 1, minWidth: 0 }}>
            <strong>{phaseName(phase)}</strong>{about && `: ${about}`}
          </Typography>
        )}
        {phase !== null && start !== null && <Typography variant="caption" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>{elapsed}</Typography>}
      </Box>
      {charted && (
        <AnswerContext value={facts}><StepEvidence step={charted} chartFirst /></AnswerContext>
      )}
      {!writing && !charted && found.length > 0 && <Datasets found={found} />}
      {!writing && rows && !charted && <FirstRows key={rows.table} rows={rows} />}
    </Box>
  );
});
