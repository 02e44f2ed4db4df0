/**
 * The answers that this tab follows. Events are added at once, but the page is notified at most
 * once per frame, so that eighty events a second cause at most sixty renders.
 */
import { followAnswer, isLast } from '../api/eventStream';
import type { Connection } from '../api/sse';
import type { DataAgentStreamEvent } from '../api/types';
import { applyEvent, emptyRun, type RunState } from './runState';

export interface RunView extends RunState {
  connection: Connection | 'closed';
  /** The error response of the server, if any. */
  refusal: unknown;
}

interface Kept {
  id: number;
  event: DataAgentStreamEvent;
}

export class RunStore {
  private log: Kept[] = [];
  private state: RunView = { ...emptyRun(), connection: 'connecting', refusal: null };
  private shown: RunView = this.state;
  private scheduled = false;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly view = (): RunView => this.shown;

  add(event: DataAgentStreamEvent, id: number): void {
    if (event.type === 'phase_restart') this.keepUntil(event.afterId);
    if (event.type === 'reset') this.keepUntil(-1);
    this.log.push({ id, event });
    this.change(applyEvent(this.state, event));
    if (isLast(event)) this.change({ connection: 'closed' });
  }

  connection(connection: Connection): void {
    this.change({ connection });
  }

  refuse(refusal: unknown): void {
    this.change({ refusal, connection: 'closed' });
  }

  /** Drops the events after `id`. */
  private keepUntil(id: number): void {
    this.log = this.log.filter((kept) => kept.id <= id);
    this.change(this.log.reduce<RunState>((s, kept) => applyEvent(s, kept.event), emptyRun()));
  }

  private change(part: Partial<RunView>): void {
    this.state = { ...this.state, ...part };
    if (this.scheduled) return;
    this.scheduled = true;
    if (globalThis.document?.visibilityState === 'visible' && 'requestAnimationFrame' in globalThis)
      requestAnimationFrame(this.flush);
    else setTimeout(this.flush, 50);
  }

  /** Notifies the page now. */
  readonly flush = (): void => {
    this.scheduled = false;
    this.shown = this.state;
    this.listeners.forEach((listener) => listener());
  };
}

interface Live {
  store: RunStore;
  abort: AbortController;
  over: Promise<void>;
}

const live = new Map<string, Live>();

/** Follows the answer, and starts it if necessary. Further calls return the same store. */
export function followRun(chatId: string, messageId: string, onOver: () => void): RunStore {
  const known = live.get(messageId);
  if (known) {
    void known.over.then(onOver);
    return known.store;
  }
  const store = new RunStore();
  const abort = new AbortController();
  const over = followAnswer(chatId, messageId, {
    signal: abort.signal,
    onEvent: (event, id) => store.add(event, id),
    onConnection: (state) => store.connection(state),
  })
    .catch((error: unknown) => store.refuse(error))
    .then(store.flush);
  live.set(messageId, { store, abort, over });
  void over.then(onOver);
  return store;
}

export function forgetRun(messageId: string): void {
  live.get(messageId)?.abort.abort();
  live.delete(messageId);
}

export function forgetAllRuns(): void {
  [...live.keys()].forEach(forgetRun);
}
