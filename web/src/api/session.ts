/**
 * The session. The access token is only in this module's memory; the refresh token is a
 * cookie that no script can read. One tab refreshes at a time (a Web Lock, if the browser has it).
 */
import { forgetEarly, takeEarly } from './early';
import { errorOf } from './errors';

/** A token is renewed this long before it expires, or after four fifths of a shorter lifetime. */
const EARLY_MS = 30_000;

type Listener = (signedIn: boolean) => void;

let token: string | null = null;
let renewedFrom = 0;
let refreshing: Promise<boolean> | null = null;
let first: Promise<boolean> | null = null;
let isSignedOut = false;
const listeners = new Set<Listener>();

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function hold(next: { accessToken: string; expiresIn: number } | null): void {
  const changed = (next === null) !== (token === null);
  token = next?.accessToken ?? null;
  isSignedOut = token === null;
  const life = (next?.expiresIn ?? 0) * 1000;
  renewedFrom = Date.now() + life - Math.min(EARLY_MS, life / 5);
  if (changed) forgetEarly();
  if (changed) listeners.forEach((tell) => tell(token !== null));
}

function post(path: string, body?: unknown): Promise<Response> {
  const headers: HeadersInit = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

export async function login(email: string, password: string): Promise<void> {
  const response = await post('/api/auth/login', { email, password });
  if (!response.ok) throw await errorOf(response);
  hold((await response.json()).data);
}

export async function logout(): Promise<void> {
  await post('/api/auth/logout').catch(() => undefined);
  hold(null);
}

/** Asks in a way that is no error without a session, because browsers report every refusal. */
async function exchange(): Promise<boolean> {
  const response = await post('/api/auth/session');
  if (response.ok) {
    const { data } = await response.json();
    hold(data.signedIn ? data : null);
    return data.signedIn;
  }
  if (response.status === 403) {
    hold(null);
    return false;
  }
  throw await errorOf(response);
}

async function exchangeAlone(): Promise<boolean> {
  // Only on https and localhost; elsewhere the server accepts two refreshes at once.
  if (!navigator.locks) return exchange();
  return navigator.locks.request('sextant-refresh', exchange);
}

/** False if the user must sign in again; throws if the server does not answer. */
export function refresh(): Promise<boolean> {
  refreshing ??= exchangeAlone().finally(() => {
    refreshing = null;
  });
  return refreshing as Promise<boolean>;
}

/**
 * Asks before the page is loaded, and without the lock, which is given only when that code has run:
 * the server lets a few tabs that are opened at once use the same cookie.
 */
export function resumeEarly(): Promise<boolean> {
  return (first = exchange().catch(refresh));
}

/** The answer of `resumeEarly`; null if no one asked. */
export function resumed(): Promise<boolean> | null {
  return first;
}

/** What is known already: true, false, or null. */
export function isSignedIn(): boolean | null {
  if (token) return true;
  return isSignedOut ? false : null;
}

/** As `refresh`; the first call has the answer of `resumeEarly`. */
export function resume(): Promise<boolean> {
  const answer = first;
  first = null;
  return answer ?? refresh();
}

/** A token that has not expired, for requests that `fetch` cannot make. */
export async function currentToken(): Promise<string | null> {
  if (token && Date.now() > renewedFrom) await refresh().catch(() => undefined);
  return token;
}

function send(request: Request, bearer: string | null): Promise<Response> {
  if (bearer) request.headers.set('Authorization', `Bearer ${bearer}`);
  return fetch(request);
}

/** `fetch` with the token; if the server refuses the token, it is renewed once. */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const target = typeof input === 'string' ? new URL(input, location.origin) : input;
  const request = new Request(target, init);
  const early = await takeEarly(request);
  if (early) return early;
  const spare = request.clone();
  const response = await send(request, await currentToken());
  if (response.status !== 401 || !(await refresh())) return response;
  return send(spare, token);
}
