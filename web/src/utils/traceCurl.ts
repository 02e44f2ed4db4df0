/** A model call of a trace as a cURL command, to repeat it by hand. It never has the key. */
import type { LlmTrace } from '../api/types';

type Message = LlmTrace['promptMessages'][number];

const ROLES: Record<string, string> = { human: 'user', ai: 'assistant' };
const roleOf = ({ type }: Message) => ROLES[type] ?? type;

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function anthropic(trace: LlmTrace) {
  const system = trace.promptMessages.filter((m) => roleOf(m) === 'system').map((m) => m.content).join('\n\n');
  const messages = trace.promptMessages.filter((m) => roleOf(m) !== 'system').map((m) => ({ role: roleOf(m), content: m.content }));
  return {
    url: '"${ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages"',
    headers: ['"x-api-key: $ANTHROPIC_API_KEY"', "'anthropic-version: 2023-06-01'"],
    body: { model: trace.model, max_tokens: 4096, ...(system && { system }), messages },
  };
}

function openai(trace: LlmTrace) {
  return {
    url: '"${OPENAI_BASE_URL:-https://api.openai.com/v1}/chat/completions"',
    headers: ['"Authorization: Bearer $OPENAI_API_KEY"'],
    body: { model: trace.model, messages: trace.promptMessages.map((m) => ({ role: roleOf(m), content: m.content })) },
  };
}

/** The command; key and address are variables of the shell. Tools and schemas are not in a trace, so not here. */
export function curlOf(trace: LlmTrace): string {
  const { url, headers, body } = trace.provider === 'anthropic' ? anthropic(trace) : openai(trace);
  const sent = trace.temperature === null ? body : { ...body, temperature: trace.temperature };
  return [`curl ${url}`, ...["'Content-Type: application/json'", ...headers].map((h) => `-H ${h}`), `-d ${quote(JSON.stringify(sent, null, 2))}`]
    .join(' \\\n  ');
}
