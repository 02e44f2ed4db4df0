export interface Clarification {
  question: string;
  assumption: string;
}

/** Formats the replies in the form that the Planner reads. */
export function withClarifications(question: string, replies: { question: string; answer: string }[]): string {
  const lines = replies.map((reply) => `- ${reply.question}: ${reply.answer}`);
  return `${question}\n\nClarifications:\n${lines.join('\n')}`;
}

export function withAssumptions(question: string, questions: Clarification[]): string {
  return withClarifications(
    question,
    questions.map((q) => ({ question: q.question, answer: q.assumption })),
  );
}

const PERIODS = ['the last 30 days', 'the last 6 months', 'this year', 'last year'];
const OR = /(?:^|[,:]\s|\bor\s)(?:the\s|by\s)?([\w][\w' -]{0,40}?)(?=\s+or\s+|,|\?|$)/gi;

/** "By city" and "city" are one reply. */
function meaningOf(reply: string): string {
  return reply.toLowerCase().replace(/^(by|the) /, '').replace('six', '6');
}

/** Replies to choose from: what is assumed, the alternatives that the question names ("A or B?"), or usual periods. */
export function repliesTo({ question, assumption }: Clarification): string[] {
  const isPeriod = /\b(period|time|when|dates?|months?|years?)\b/i.test(question);
  const named = / or /i.test(question) ? [...question.slice(question.search(/[^,:]*\bor\b/i)).matchAll(OR)].map((m) => m[1]!.trim()) : [];
  const others = named.length > 1 ? named : isPeriod ? PERIODS : [];
  const known = new Map([...others.toReversed(), assumption].map((reply) => [meaningOf(reply), reply]));
  const replies = [assumption, ...others.filter((reply) => known.get(meaningOf(reply)) === reply && meaningOf(reply) !== meaningOf(assumption))];
  return replies.filter((reply) => reply.length > 0 && reply.length <= 60).slice(0, 5);
}
