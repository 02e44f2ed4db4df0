/**
 * Follows a stream of events. When the connection is lost, it reconnects with the id of the last
 * event, until the terminal event.
 */
import { createParser } from 'eventsource-parser';
import { ApiError, errorOf } from './errors';

/** The server sends an event or a heartbeat at least every 30 s. */
const SILENCE_MS = 75_000;
const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000];

export type Connection = 'connecting' | 'open' | 'reconnecting';

export interface Follower<E> {
  /** Requests the events after that one; 0 is before the first. */
  open: (lastId: number, signal: AbortSignal) => Promise<Response>;
  isLast: (event: E) => boolean;
  signal: AbortSignal;
  onEvent: (event: E, id: number) => void;
  onConnection: (state: Connection) => void;
}

interface Progress {
  lastId: number;
  failures: number;
}

/** True after the terminal event. */
async function read<E>(response: Response, f: Follower<E>, at: Progress, alive: () => void): Promise<boolean> {
  let over = false;
  const parser = createParser({
    onEvent(message) {
      if (message.data === '[DONE]') return; // follows the last event of a stream of UI messages
      const event = JSON.parse(message.data) as E;
      if (message.id) at.lastId = Number(message.id);
      at.failures = 0;
      over ||= f.isLast(event);
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

/** Reads one connection. Returns true when the stream has ended; throws errors that a retry cannot fix. */
async function connect<E>(f: Follower<E>, at: Progress): Promise<boolean> {
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(), SILENCE_MS);
  };
  alive();
  try {
    const response = await f.open(at.lastId, AbortSignal.any([f.signal, own.signal]));
    if (!response.ok) throw await errorOf(response);
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
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      globalThis.removeEventListener?.('online', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
    globalThis.addEventListener?.('online', wake);
  });
}

/** Resolves after the terminal event or the signal's abort; rejects with an ApiError. */
export async function follow<E>(f: Follower<E>): Promise<void> {
  const at: Progress = { lastId: 0, failures: 0 };
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
