/** What the parts of an answer know about it. */
import { createContext, useContext } from 'react';
import type { Plan } from '../../api/types';
import { NO_UNITS, type Units } from '../../utils/units';

export interface AnswerFacts {
  plan: Plan | null;
  question: string;
  answeredAt?: string;
}

/** A stable default: a shared answer has neither plan nor question. */
const UNKNOWN: AnswerFacts = { plan: null, question: '' };

export const AnswerContext = createContext<AnswerFacts>(UNKNOWN);
export const useAnswer = (): AnswerFacts => useContext(AnswerContext);

export const UnitsContext = createContext<Units>(NO_UNITS);
export const useUnits = (): Units => useContext(UnitsContext);
