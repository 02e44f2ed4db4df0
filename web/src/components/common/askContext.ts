import { createContext } from 'react';

/** The questions that a click in an answer asks, and what asks them. */
export interface Askable {
  questions: ReadonlySet<string>;
  ask: (question: string) => void;
}

export const AskContext = createContext<Askable | null>(null);
