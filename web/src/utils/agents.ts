/** The agents that can answer a chat. */
import type { Chat, Phase } from '../api/types';
import { PHASES, STUDY_PHASES } from './phases';

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
  csv: {
    name: 'CSV analyst',
    about: 'Looks at the tables, writes SQL, query plans or Python, and answers. "SQL: …" and "PYTHON: …" run as they are.',
    phases: [],
  },
  scientist: {
    name: 'Data scientist',
    about: 'Writes Python with statistics and charts, repairs it when it fails, and interprets what came out.',
    phases: STUDY_PHASES,
  },
  explorer: {
    name: 'Explorer',
    about: 'Explores one table of uploaded files with queries, charts and checks of its findings, and sums up.',
    phases: [],
  },
  dry_run: {
    name: 'Dry run',
    about: 'Shows the prompts that a language model would get, and asks none.',
    phases: [],
  },
};

/** Those that people choose from; a dry run is started on the command line. */
export const AGENT_IDS: Agent[] = ['pipeline', 'react', 'csv', 'scientist'];

export function isAgent(word: string): word is Agent {
  return (AGENT_IDS as string[]).includes(word);
}
