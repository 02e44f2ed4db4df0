import FormHelperText from '@mui/material/FormHelperText';
import { useDefaultAgent } from '../../hooks/useDefaultAgent';
import { AgentChoice } from '../chat/AgentChoice';

/** The default agent of new chats. */
export function DefaultAgentSettings() {
  const [agent, setAgent] = useDefaultAgent();
  return (
    <>
      <AgentChoice label="Default agent" value={agent} onChange={setAgent} />
      <FormHelperText>Preselected for new chats in this browser. A chat keeps the agent it was created with.</FormHelperText>
    </>
  );
}
