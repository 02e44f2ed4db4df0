import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { AGENT_IDS, AGENTS, type Agent } from '../../utils/agents';

interface AgentChoiceProps {
  label: string;
  value: Agent;
  onChange: (agent: Agent) => void;
}

function Option({ agent }: { agent: Agent }) {
  const { name, about } = AGENTS[agent];
  const id = useId();
  const label = (
    <>
      <Typography variant="body2" component="span" id={`${id}-name`}>{name}</Typography>
      <Typography variant="caption" component="span" id={`${id}-about`} color="textSecondary" sx={{ display: 'block' }}>{about}</Typography>
    </>
  );
  const slotProps = { input: { 'aria-labelledby': `${id}-name`, 'aria-describedby': `${id}-about` } };
  return (
    <FormControlLabel value={agent} label={label} sx={{ alignItems: 'flex-start', mt: 0.5 }}
      control={<Radio size="small" slotProps={slotProps} sx={{ py: 0.25 }} />} />
  );
}

/** The choice of an agent, with a sentence about each. */
export function AgentChoice({ label, value, onChange }: AgentChoiceProps) {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id} sx={{ typography: 'body2' }}>{label}</FormLabel>
      <RadioGroup aria-labelledby={id} value={value} onChange={(_event, agent) => onChange(agent as Agent)}>
        {AGENT_IDS.map((agent) => <Option key={agent} agent={agent} />)}
      </RadioGroup>
    </FormControl>
  );
}
