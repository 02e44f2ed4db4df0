// Uses the MCP server as programs with the official TypeScript SDK do.
//   node mcp_client.mjs JOB   prints what it got as JSON
// JOB: {url, token} for HTTP or {command, args, env} for standard input, and `cancel`: ask,
// and cancel with the first notification of progress that has this text.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const job = JSON.parse(process.argv[2]);
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url), {
      requestInit: { headers: { Authorization: `Bearer ${job.token}` } },
    })
  : new StdioClientTransport({ command: job.command, args: job.args, env: job.env });
const client = new Client({ name: "story", version: "1.0.0" });
const seen = { errors: [] };
client.onerror = (error) => seen.errors.push(String(error));
await client.connect(transport);
seen.server = client.getServerVersion();
seen.capabilities = client.getServerCapabilities();

const progress = [];
const question = { name: "ask", arguments: { question: job.question, ontology: job.ontology } };

async function useAll() {
  seen.tools = (await client.listTools()).tools;
  seen.answer = await client.callTool(question, undefined, {
    onprogress: (p) => progress.push(p), timeout: 60_000,
  });
  seen.rows = await client.callTool({
    name: "query",
    arguments: { ontology: job.ontology, sql: job.sql },
  });
  seen.refused = await client.callTool({
    name: "query",
    arguments: { ontology: job.ontology, sql: "delete from stores" },
  });
  seen.unknown = await client.callTool({ name: "nope" }).catch((error) => error.code);
  seen.resources = (await client.listResources()).resources;
  seen.model = await client.readResource({ uri: `sextant://ontologies/${job.ontology}` });
  const { answer_id: answer } = seen.answer.structuredContent;
  seen.kept = await client.readResource({ uri: `sextant://answers/${answer}` });
  await client.ping();
}

async function cancel() {
  const leave = new AbortController();
  const onprogress = (p) => {
    progress.push(p);
    if (p.message === job.cancel) leave.abort("enough");
  };
  seen.cancelled = await client
    .callTool(question, undefined, { onprogress, signal: leave.signal, timeout: 60_000 })
    .then(() => false, (error) => String(error));
  seen.after = await client.callTool({ name: "list_ontologies" });
}

await (job.cancel ? cancel() : useAll());
seen.progress = progress;
await client.close();
console.log(JSON.stringify(seen));
