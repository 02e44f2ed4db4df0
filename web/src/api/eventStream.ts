/**
 * Follows an answer: starts it, or joins it where it is, and comes back with `Last-Event-ID` as
 * often as the line is cut, until the last event.
 */
import { createParser } from 'eventsource-parser';
import { ApiError, errorOf } from './errors';
import { authorizedFetch } from './session';
import type { DataAgentStreamEvent } from './types';

/** The server sends something at least every 30 s. */
const SILENCE_MS = 75_000;
const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000];

export type Connection = 'connecting' | 'open' | 'reconnecting';

export interface Follower {
  chatId: string;
  messageId: string;
  signal: AbortSignal;
  onEvent: (event: DataAgentStreamEvent, id: number) => void;
  onConnection: (state: Connection) => void;
}

interface Progress {
  started: boolean;
  lastId: number;
  failures: number;
}

export function isLast(event: DataAgentStreamEvent): boolean {
  return event.type === 'message_complete' || event.type === 'message_error';
}

function open(f: Follower, at: Progress, signal: AbortSignal): Promise<Response> {
  const accept = { Accept: 'text/event-stream' };
  if (!at.started)
    return authorizedFetch(`/api/data-agent/chats/${f.chatId}/messages/${f.messageId}/stream`, {
      method: 'POST',
      headers: accept,
      signal,
    });
  const headers = at.lastId ? { ...accept, 'Last-Event-ID': String(at.lastId) } : accept;
  return authorizedFetch(`/api/data-agent/messages/${f.messageId}/events`, { headers, signal });
}

/** True after the last event. */
async function read(
  response: Response,
  f: Follower,
  at: Progress,
  alive: () => void,
): Promise<boolean> {
  let over = false;
  const parser = createParser({
    onEvent(message) {
      const event = JSON.parse(message.data) as DataAgentStreamEvent;
      if (message.id) at.lastId = Number(message.id);
      at.failures = 0;
      over ||= isLast(event);
      f.onEvent(event, at.lastId);
    },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || over) return over;
    alive();
    parser.feed(value);
  }
}

/** One connection. True: it is over; throws what no retry helps. */
async function connect(f: Follower, at: Progress): Promise<boolean> {
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(), SILENCE_MS);
  };
  alive();
  try {
    const response = await open(f, at, AbortSignal.any([f.signal, own.signal]));
    if (response.status === 409 && !at.started) {
      at.started = true;
      return connect(f, at);
    }
    if (!response.ok) throw await errorOf(response);
    at.started = true;
    f.onConnection('open');
    return await read(response, f, at, alive);
  } finally {
    clearTimeout(timer);
  }
}

function helpless(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', wake, { once: true });
    globalThis.addEventListener?.('online', wake, { once: true });
  });
}

/** Resolves after the last event or the signal's abort; rejects with an ApiError. */
export async function follow(f: Follower): Promise<void> {
  const at: Progress = { started: false, lastId: 0, failures: 0 };
  f.onConnection('connecting');
  while (!f.signal.aborted) {
    let wait = 0;
    try {
      if (await connect(f, at)) return;
    } catch (error) {
      if (f.signal.aborted) return;
      if (helpless(error)) throw error;
      if (error instanceof ApiError && error.retryAfter) wait = error.retryAfter * 1000;
    }
    f.onConnection('reconnecting');
    const step = BACKOFF_MS[Math.min(at.failures++, BACKOFF_MS.length - 1)]!;
    await pause(Math.max(wait, step * (0.75 + Math.random() / 2)), f.signal);
  }
}
