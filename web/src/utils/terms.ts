import type { OntologyGraph, Plan } from '../api/types';

type Metric = NonNullable<OntologyGraph['metrics']>[number];

export interface Term {
  /** The word of the question. */
  word: string;
  metric: Metric;
}

const plain = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** The metrics that a question names, by the longest of their names in it; none within another one. */
export function termsOf(question: string, metrics: Metric[]): Term[] {
  const text = plain(question);
  const found = metrics.flatMap((metric) => {
    const names = [metric.name, metric.label ?? '', ...metric.synonyms].map(plain).filter((name) => name.trim() && text.includes(name));
    const word = names.sort((a, b) => b.length - a.length)[0];
    return word ? [{ word: word.trim(), metric }] : [];
  });
  return found.filter((term) => !found.some((other) => other !== term && other.word.length > term.word.length && plain(other.word).includes(plain(term.word))));
}

/** The built-in analyst's words for what no metric, field or value is called. */
const UNKNOWN = /\bI do not know (this word|these words):/;
/** A planner's question about what a word stands for. */
const MEANING = /\b(means?|meant|defined?|definition|which (metric|measure))\b/i;

/** Whether the answer says that a word of the question has no definition in the model. */
export function hasUndefinedTerm(content: string, plan: Pick<Plan, 'ambiguities' | 'clarificationQuestions'> | null): boolean {
  return UNKNOWN.test(content) || [...(plan?.ambiguities ?? []), ...(plan?.clarificationQuestions ?? [])].some(({ question }) => MEANING.test(question));
}
