import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { AGENT_IDS, AGENTS, type Agent } from '../../utils/agents';

interface AgentSelectorProps {
  value: Agent;
  onChange: (agent: Agent) => void;
}

/** A select for the agent, in one line below a question. */
export function AgentSelector({ value, onChange }: AgentSelectorProps) {
  return (
    <Select
      size="small" variant="standard" disableUnderline value={value}
      onChange={(event) => onChange(event.target.value)}
      SelectDisplayProps={{ 'aria-label': 'Agent' }}
      sx={{ fontSize: 13, color: 'text.secondary' }}
    >
      {AGENT_IDS.map((agent) => <MenuItem key={agent} value={agent}>{AGENTS[agent].name}</MenuItem>)}
    </Select>
  );
}
