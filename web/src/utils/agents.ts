/** The agents that can answer a chat. */
import type { Chat, Phase } from '../api/types';
import { PHASES } from './phases';

export type Agent = Chat['agent'];

interface AgentInfo {
  name: string;
  about: string;
  /** The phases in order; an agent that works in a loop has none. */
  phases: Phase[];
}

export const AGENTS: Record<Agent, AgentInfo> = {
  pipeline: {
    name: 'Six phases',
    about: 'Plans the question, writes and runs the SQL, checks the result, and explains it.',
    phases: PHASES,
  },
  react: {
    name: 'ReAct',
    about: 'Works step by step: calls a tool, looks at the result, and decides what to do next.',
    phases: [],
  },
  dry_run: {
    name: 'Dry run',
    about: 'Shows the prompts that a language model would get, and asks none.',
    phases: [],
  },
};

/** Those that people choose from; a dry run is started on the command line. */
export const AGENT_IDS: Agent[] = ['pipeline', 'react'];

export function isAgent(word: string): word is Agent {
  return (AGENT_IDS as string[]).includes(word);
}
