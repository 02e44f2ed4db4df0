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
