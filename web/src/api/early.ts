/**
 * Requests that a page makes for certain are sent while its code is still loaded. Each answer is
 * used once, by the first request for its address, and only while it is new.
 */
const FRESH_MS = 30_000;

interface Sent {
  answer: Promise<Response | null>;
  at: number;
}

const sent = new Map<string, Sent>();

/** Sends a request before it is needed. `get` is called at once. */
export function sendEarly(path: string, get: (path: string) => Promise<Response>): void {
  sent.set(path, { answer: get(path).catch(() => null), at: Date.now() });
}

/** The answer to a request that was sent early; null if there is none, or if it is an error that may pass. */
export async function takeEarly(request: Request): Promise<Response | null> {
  if (request.method !== 'GET' || sent.size === 0) return null;
  const { pathname, search } = new URL(request.url);
  const early = sent.get(pathname + search);
  if (!early) return null;
  sent.delete(pathname + search);
  if (Date.now() - early.at > FRESH_MS) return null;
  const response = await early.answer;
  return response?.ok || response?.status === 404 ? response : null;
}

/** When somebody signs out, or somebody else signs in, or another tab has changed something. */
export function forgetEarly(): void {
  sent.clear();
}
