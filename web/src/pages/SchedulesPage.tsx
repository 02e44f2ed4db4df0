import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { lazy, useState } from 'react';
import { messageOf } from '../api/errors';
import type { Schedule } from '../api/types';
import { ConfirmDialog } from '../components/common/ConfirmDialog';
import { ErrorCard } from '../components/common/ErrorCard';
import { LazyPart } from '../components/common/LazyPart';
import { PageFrame } from '../components/common/PageFrame';
import { pauseId, ScheduleItem } from '../components/schedules/ScheduleItem';
import { useKeyboardKept } from '../hooks/useKeyboardStays';
import { useScheduleActs, useSchedules } from '../hooks/useSchedules';
import { useMay } from '../hooks/useSession';

const ScheduleDialog = lazy(() => import('../components/schedules/ScheduleDialog'));

/** The questions that the server asks at their times. */
export default function SchedulesPage() {
  const { schedules, isLoading, error, refetch } = useSchedules();
  const { change, remove } = useScheduleActs();
  const { enqueueSnackbar } = useSnackbar();
  const mayWrite = useMay('data_agent:write');
  const [editing, setEditing] = useState<Schedule | null>(null);
  const [leaving, setLeaving] = useState<Schedule | null>(null);
  const keep = useKeyboardKept(schedules);
  const say = (refusal: unknown) => void enqueueSnackbar(messageOf(refusal), { variant: 'error' });
  const removeOne = (schedule: Schedule) => {
    const i = schedules.indexOf(schedule);
    const neighbour = schedules[i + 1] ?? schedules[i - 1];
    if (neighbour) keep(pauseId(neighbour.id));
    void remove(schedule.id).catch(say);
  };
  return (
    <PageFrame title="Schedules">
      {error && <ErrorCard title="The schedules could not be read" error={error} onRetry={() => void refetch()} />}
      {!isLoading && !error && schedules.length === 0 && (
        <Typography color="textSecondary">No schedules yet. The clock at an answer asks its question again at the times that you choose.</Typography>
      )}
      <Stack component="ul" spacing={1} aria-label="Schedules" sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {schedules.map((schedule) => (
          <ScheduleItem key={schedule.id} schedule={schedule}
            {...(mayWrite && {
              onEdit: () => setEditing(schedule),
              onState: (state: 'active' | 'paused') => void change(schedule.id, { state }).catch(say),
              onRemove: () => setLeaving(schedule),
            })} />
        ))}
      </Stack>
      {leaving && (
        <ConfirmDialog title="Delete this schedule?" text={`${leaving.name}. Its chat stays.`} act="Delete" onClose={() => setLeaving(null)} onConfirm={() => removeOne(leaving)} />
      )}
      {editing && (
        <LazyPart onClose={() => setEditing(null)}>
          <ScheduleDialog question={editing.question} columns={[]} schedule={editing} onClose={() => setEditing(null)} />
        </LazyPart>
      )}
    </PageFrame>
  );
}
