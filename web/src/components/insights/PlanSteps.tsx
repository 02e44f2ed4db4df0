import CheckCircle from '@mui/icons-material/CheckCircle';
import ErrorIcon from '@mui/icons-material/Error';
import RadioButtonUnchecked from '@mui/icons-material/RadioButtonUnchecked';
import CircularProgress from '@mui/material/CircularProgress';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import type { Plan } from '../../api/types';
import type { StepState, StepStatus } from './insightsUtils';

function StepIcon({ state }: { state: StepState }) {
  if (state === 'complete') return <CheckCircle color="success" fontSize="small" titleAccess="complete" />;
  if (state === 'failed') return <ErrorIcon color="error" fontSize="small" titleAccess="failed" />;
  if (state === 'running') return <CircularProgress size={18} aria-label="running" />;
  return <RadioButtonUnchecked color="disabled" fontSize="small" titleAccess="pending" />;
}

/** The steps of the plan and their progress. */
export function PlanSteps({ plan, statuses }: { plan: Plan; statuses: StepStatus[] }) {
  return (
    <List dense disablePadding>
      {plan.steps.map((step) => {
        const status = statuses.find((s) => s.stepId === step.id);
        const about = [step.strategy, status?.summary].filter(Boolean).join(' · ');
        return (
          <ListItem key={step.id} disableGutters sx={{ alignItems: 'flex-start' }}>
            <ListItemIcon sx={{ minWidth: 32, mt: 0.75 }}><StepIcon state={status?.status ?? 'pending'} /></ListItemIcon>
            <ListItemText primary={`${step.id}. ${step.description}`} secondary={about} sx={{ overflowWrap: 'anywhere' }} />
          </ListItem>
        );
      })}
    </List>
  );
}
