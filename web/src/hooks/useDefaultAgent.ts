import { useState } from 'react';
import { isAgent, type Agent } from '../utils/agents';
import { readStored, writeStored } from '../utils/storage';

const KEY = 'sextant-agent';

/** The default agent of new chats, stored in this browser. */
export function useDefaultAgent(): [Agent, (agent: Agent) => void] {
  const [agent, setAgent] = useState<Agent>(() => {
    const stored = readStored(KEY);
    return isAgent(stored) ? stored : 'pipeline';
  });
  const choose = (next: Agent) => {
    setAgent(next);
    writeStored(KEY, next);
  };
  return [agent, choose];
}
