/** The explorer's part of the protocol: the stream of an exploration, answers to its tool calls, and the report. */
import type { Share, Sent, Value } from '../utils/disclosure';
import type { TableColumn } from '../utils/aggregateQuery';
import type { Chunk, Exploration } from '../utils/exploration';
import { ApiError, errorOf } from './errors';
import { authorizedFetch } from './session';
import { follow, type Connection } from './sse';

const BRIDGE = '/api/agentic-explore-bridge';
/** A call is over after 30 s. */
const ANSWER_MS = 28_000;
const PAUSES_MS = [250, 500, 1000, 2000, 4000];

export interface ExploreRequest {
  id: string;
  question: string;
  messages: { id: string; role: 'user' | 'assistant'; parts: { type: 'text'; text: string }[] }[];
  schema: TableColumn[];
  rowCount: number;
  sampleData?: Record<string, Value>[];
  share: Share;
}

export interface ExploreHandlers {
  onChunk: (chunk: Chunk) => void;
  onConnection: (state: Connection) => void;
  signal: AbortSignal;
}

function postJson(path: string, body: unknown, signal?: AbortSignal, accept = 'application/json'): Promise<Response> {
  return authorizedFetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: accept }, body: JSON.stringify(body), signal });
}

/** Resolves at the end of the stream; rejects with an ApiError if it does not start. A lost connection is resumed. */
export async function explore(request: ExploreRequest, { onChunk, onConnection, signal }: ExploreHandlers): Promise<void> {
  let started = false;
  // A refusal is not tried again, whatever its status: the person can ask again.
  let refusal: ApiError | null = null;
  const own = new AbortController();
  const open = async (lastId: number, connection: AbortSignal) => {
    if (!started) {
      const response = await postJson(BRIDGE, request, connection, 'text/event-stream');
      started = response.ok;
      if (!response.ok) {
        refusal = await errorOf(response);
        own.abort();
      }
      return response;
    }
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (lastId > 0) headers['Last-Event-ID'] = String(lastId);
    const response = await authorizedFetch(`${BRIDGE}/${encodeURIComponent(request.id)}/stream`, { headers, signal: connection });
    if (response.status === 204) throw new ApiError(404, { code: 'NOT_FOUND', message: 'The exploration ended while the connection was lost.' });
    return response;
  };
  const isLast = (chunk: Chunk) => chunk.type === 'finish' || chunk.type === 'error';
  await follow<Chunk>({ open, isLast, signal: AbortSignal.any([signal, own.signal]), onConnection, onEvent: (chunk) => onChunk(chunk) });
  if (refusal) throw refusal as ApiError;
}

/** Ends the exploration on the server. It may have ended already. */
export async function cancelExploration(id: string): Promise<void> {
  await postJson(`${BRIDGE}/${encodeURIComponent(id)}/cancel`, {}).catch(() => undefined);
}

export type ToolAnswer =
  | { toolCallId: string; success: true; result: { success: true; results: Sent[] } }
  | { toolCallId: string; success: false; error: string };

/** Sends what a call gave, again and again while the server cannot be reached. Quietly gives up when the call is over. */
export async function answerCall(answer: ToolAnswer, signal: AbortSignal): Promise<void> {
  const end = Date.now() + ANSWER_MS;
  for (let tries = 0; !signal.aborted && Date.now() < end; tries++) {
    try {
      const response = await postJson('/api/tool-callback', answer, signal);
      if (response.ok || (response.status < 500 && response.status !== 429)) return;
    } catch {
      // the network: try again
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]));
  }
}

export interface ReportRequest {
  question: string;
  schema: TableColumn[];
  explorationResults: Pick<Exploration, 'summary' | 'insights' | 'executedQueries' | 'charts'>;
}

/** The report as Markdown; `onText` gets what has arrived so far. */
export async function fetchReport(request: ReportRequest, onText: (text: string) => void, signal: AbortSignal): Promise<string> {
  const response = await postJson('/api/report', request, signal, 'text/markdown, text/plain, */*;q=0.1');
  if (!response.ok) throw await errorOf(response);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    onText(text);
  }
  if (!response.headers.get('content-type')?.includes('json')) return text;
  return String((JSON.parse(text) as { report?: unknown }).report ?? '');
}
