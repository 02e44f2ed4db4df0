/** The explorations of one file: questions, live progress, answers to tool calls, reports. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { answerCall, cancelExploration, explore, fetchReport } from '../api/explore';
import { messageOf } from '../api/errors';
import type { Connection } from '../api/sse';
import { answerQuery, bounded, messageFrom, SHARES, StandIns, valueOf, type BridgeQuery, type LocalResult, type LocalTable, type Share } from '../utils/disclosure';
import { apply, BEGUN, lastText, type Chunk, type Progress } from '../utils/exploration';
import { remembering } from '../utils/remember';

/** What one query of a call gave in this browser. */
export interface QueryShown {
  id: string;
  sql: string;
  result: LocalResult | null;
  error: string | null;
}

export interface Report {
  state: 'writing' | 'done' | 'failed';
  text: string;
  error: string | null;
}

export interface Turn {
  id: string;
  question: string;
  share: Share;
  progress: Progress;
  connection: Connection;
  report: Report | null;
}

const CALLS_MOST = 64;
const MESSAGES_MOST = 10;
const SAMPLE_ROWS = 5;

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function queriesOf(input: Record<string, unknown>): BridgeQuery[] {
  const list: unknown[] = Array.isArray(input.queries) ? input.queries.slice(0, CALLS_MOST) : [];
  const sound = list.filter((one): one is { id: string; sql: string; aggregate?: unknown } =>
    typeof one === 'object' && one !== null && typeof (one as BridgeQuery).id === 'string' && typeof (one as BridgeQuery).sql === 'string');
  return sound.map(({ id, sql, aggregate }) => ({ id, sql, aggregate: aggregate === true }));
}

/** Only with `rows`: the first rows go with the question. */
async function sampleOf(table: LocalTable, share: Share) {
  if (share !== 'rows') return undefined;
  const { columns, types, rows } = await table.query(`SELECT * FROM t_parsed LIMIT ${SAMPLE_ROWS}`);
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, valueOf(row[i]!, types[i]!)])));
}

/** The last questions and summaries, as the server wrote them. A summary may quote what was shared then: one of a turn that shared more stays here. */
function historyOf(turns: Turn[], share: Share) {
  return turns.filter((turn) => SHARES.indexOf(turn.share) <= SHARES.indexOf(share)).flatMap(({ id, question, progress }) => [
    { id: `${id}-q`, role: 'user' as const, parts: [{ type: 'text' as const, text: question }] },
    { id: `${id}-a`, role: 'assistant' as const, parts: [{ type: 'text' as const, text: progress.found?.summary || lastText(progress) || 'No answer.' }] },
  ]).slice(-MESSAGES_MOST);
}

export interface Explorations {
  turns: Turn[];
  /** By the id of the call. */
  shown: Map<string, QueryShown[]>;
  busy: boolean;
  /** Texts of the server with the values that their stand-ins are for. */
  reveal: (text: string) => string;
  ask: (question: string, share: Share) => void;
  stop: () => void;
  writeReport: (turn: Turn) => void;
}

export function useExploration(of: LocalTable): Explorations {
  const table = useMemo(() => remembering(of), [of]);
  const [turns, setTurns] = useState<Turn[]>([]);
  const [shown, setShown] = useState(new Map<string, QueryShown[]>());
  const [standIns] = useState(() => new StandIns());
  const running = useRef<{ id: string; abort: AbortController } | null>(null);
  const reports = useRef(new AbortController());
  const turnsNow = useRef(turns);
  turnsNow.current = turns;

  const change = useCallback((id: string, next: (turn: Turn) => Turn) => {
    setTurns((all) => all.map((turn) => (turn.id === id ? next(turn) : turn)));
  }, []);

  const stop = useCallback(() => {
    const now = running.current;
    if (!now) return;
    running.current = null;
    now.abort.abort();
    void cancelExploration(now.id);
    change(now.id, (turn) => (turn.progress.state === 'running' ? { ...turn, progress: { ...turn.progress, state: 'failed', error: 'Stopped.' } } : turn));
  }, [change]);

  useEffect(() => {
    reports.current = new AbortController();
    return () => {
      reports.current.abort();
      const now = running.current;
      running.current = null;
      now?.abort.abort();
      if (now) void cancelExploration(now.id);
    };
  }, []);

  const answer = useCallback(async (chunk: Extract<Chunk, { type: 'tool-input-available' }>, share: Share, signal: AbortSignal) => {
    const toolCallId = chunk.toolCallId;
    try {
      const sent = [];
      const local: QueryShown[] = [];
      for (const query of queriesOf(chunk.input)) {
        const answered = await answerQuery(table, query, share, standIns);
        if (signal.aborted) return;
        sent.push(answered.sent);
        local.push({ id: query.id, sql: standIns.reveal(query.sql), result: answered.local, error: answered.error });
        setShown((all) => new Map(all).set(toolCallId, [...local]));
      }
      await answerCall({ toolCallId, success: true, result: { success: true, results: bounded(sent) } }, signal);
    } catch (error) {
      if (signal.aborted) return;
      setShown((all) => new Map(all).set(toolCallId, [{ id: 'failure', sql: '', result: null, error: messageFrom(error) }]));
      await answerCall({ toolCallId, success: false, error: 'The browser could not run the queries.' }, signal);
    }
  }, [table, standIns]);

  const ask = useCallback((question: string, share: Share) => {
    if (running.current) return;
    const id = newId();
    const abort = new AbortController();
    running.current = { id, abort };
    const before = turnsNow.current;
    setTurns((all) => [...all, { id, question, share, progress: BEGUN, connection: 'connecting', report: null }]);
    const answered = new Set<string>();
    const onChunk = (chunk: Chunk) => {
      change(id, (turn) => ({ ...turn, progress: apply(turn.progress, chunk) }));
      if (chunk.type !== 'tool-input-available' || answered.has(chunk.toolCallId) || answered.size >= CALLS_MOST) return;
      answered.add(chunk.toolCallId);
      void answer(chunk, share, abort.signal);
    };
    const run = async () => {
      const sampleData = await sampleOf(table, share);
      const request = {
        id, question, share, schema: table.columns, rowCount: table.rowCount, sampleData,
        messages: [...historyOf(before, share), { id: `${id}-q`, role: 'user' as const, parts: [{ type: 'text' as const, text: question }] }],
      };
      await explore(request, { onChunk, onConnection: (connection) => change(id, (turn) => ({ ...turn, connection })), signal: abort.signal });
    };
    run()
      .catch((error: unknown) => change(id, (turn) => ({ ...turn, progress: { ...turn.progress, state: 'failed', error: messageOf(error) } })))
      .finally(() => {
        if (running.current?.id === id) running.current = null;
        setTurns((all) => [...all]);
      });
  }, [table, change, answer]);

  const writeReport = useCallback((turn: Turn) => {
    const found = turn.progress.found;
    if (!found) return;
    const show = (report: Report) => change(turn.id, (now) => ({ ...now, report }));
    const { summary, insights, executedQueries, charts } = found;
    const signal = reports.current.signal;
    let so = '';
    show({ state: 'writing', text: '', error: null });
    fetchReport({ question: turn.question, schema: table.columns, explorationResults: { summary, insights, executedQueries, charts } }, (text) => {
      so = text;
      show({ state: 'writing', text, error: null });
    }, signal).then(
      (text) => show({ state: 'done', text, error: null }),
      (error: unknown) => signal.aborted || show({ state: 'failed', text: so, error: messageOf(error) }),
    );
  }, [table, change]);

  const reveal = useCallback((text: string) => standIns.reveal(text), [standIns]);
  return { turns, shown, busy: turns.at(-1)?.progress.state === 'running', reveal, ask, stop, writeReport };
}
