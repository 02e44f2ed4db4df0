export interface Clarification {
  question: string;
  assumption: string;
}

/** The form in which the Planner finds the replies again. */
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
