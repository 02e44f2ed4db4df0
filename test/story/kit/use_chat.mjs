// Explores through the chat of the AI SDK, as useChat does: its own transport and its own
// state of messages; only the answers to tool calls are ours.
//   node use_chat.mjs PACKAGE URL TOKEN BODY   prints the last message as JSON
import { pathToFileURL } from "node:url";

const [, , packageFile, url, token, bodyText] = process.argv;
const { AbstractChat, DefaultChatTransport } = await import(pathToFileURL(packageFile));
const { question, id, ...body } = JSON.parse(bodyText);
const headers = { Authorization: `Bearer ${token}` };
const seen = { calls: [], errors: [], data: [] };

class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => { this.messages = [...this.messages, message]; };
  popMessage = () => { this.messages = this.messages.slice(0, -1); };
  replaceMessage = (index, message) => {
    this.messages = this.messages.map((m, i) => (i === index ? structuredClone(message) : m));
  };
  snapshot = (thing) => structuredClone(thing);
}

class Chat extends AbstractChat {
  constructor(options) {
    super({ ...options, state: new State() });
  }
}

const chat = new Chat({
  id,
  transport: new DefaultChatTransport({
    api: `${url}/api/agentic-explore-bridge`, headers, body,
  }),
  onToolCall: async ({ toolCall }) => {
    seen.calls.push({ name: toolCall.toolName, input: toolCall.input });
    const results = toolCall.input.queries.map(({ id: name }) => ({
      id: name, columns: ["category", "value"], rows: [["North", 42]], rowCount: 1,
    }));
    await fetch(`${url}/api/tool-callback`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ toolCallId: toolCall.toolCallId, success: true,
                             result: { success: true, results } }),
    });
  },
  onData: (part) => seen.data.push(part.type),
  onError: (error) => seen.errors.push(String(error)),
});
await chat.sendMessage({ text: question });
await chat.resumeStream();
console.log(JSON.stringify({ ...seen, status: chat.status, messages: chat.messages }));
