/** An error response of the server, or no response. */
export interface ErrorBody {
  statusCode?: number;
  code?: string;
  message?: string;
  details?: unknown;
  requestId?: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly requestId: string | null;
  /** Retry-After in seconds, of 429 and 503. */
  readonly retryAfter: number | null;

  constructor(status: number, body: ErrorBody, headers?: Headers) {
    super(body.message ?? `The server answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? 'INTERNAL';
    this.details = body.details ?? null;
    this.requestId = body.requestId ?? headers?.get('x-request-id') ?? null;
    this.retryAfter = Number(headers?.get('retry-after')) || null;
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  return new ApiError(response.status, body, response.headers);
}

const FIELDS_MOST = 5;

/** "options.timeZone must be …": what the server says of each field of a form; empty: of none. */
function fieldsOf({ code, details }: ApiError): string {
  if (code !== 'VALIDATION_ERROR' || !Array.isArray(details)) return '';
  const said = (details as { field?: string; message?: string }[]).filter((one) => one?.field && one.message);
  return said.slice(0, FIELDS_MOST).map(({ field, message }) => `${field} ${message}.`).join(' ');
}

/** What Chromium, Firefox, Safari and Vite say if a chunk of the page is not there. */
const LOAD_ERROR = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether a part of the page could not be loaded: offline, or because the server has a newer page. */
export function isLoadError(error: unknown): boolean {
  return error instanceof Error && LOAD_ERROR.test(error.message);
}

/** A message for users; never a stack trace. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return fieldsOf(error) || error.message;
  if (isLoadError(error)) return 'A part of the page could not be loaded. Reload the page, then try again.';
  if (error instanceof TypeError) return 'The server cannot be reached';
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong with a form, in the server's sentences, without the names of the request's fields. */
export function reasonOf(error: unknown): string {
  const details = error instanceof ApiError && Array.isArray(error.details) ? (error.details as ({ message?: string } | null)[]) : [];
  const said = details.map((one) => one?.message).filter((one): one is string => Boolean(one));
  return said.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1).replace(/\.$/, '')}.`).join(' ') || messageOf(error);
}
