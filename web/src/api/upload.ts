/** Sends files to the server. `fetch` does not tell how much was sent, so this is an XMLHttpRequest. */
import type { Parcel } from '../utils/upload';
import { ApiError, type ErrorBody } from './errors';
import { currentToken, refresh } from './session';
import type { UploadedDataset } from './types';

/** An upload that makes no progress for this long has failed. */
const STALLED_MS = 60_000;
/** After the last byte, the server reads the files. */
const READING_MS = 600_000;

export const CUT = 'The connection ended before the server had the files.';
export const STALLED = 'Nothing could be sent for a minute.';
export const SILENT = 'The server has the files, but did not answer. They may be in the list later.';

export interface Sending {
  signal: AbortSignal;
  onProgress: (sent: number, total: number) => void;
}

function bodyOf({ files, name }: Parcel): FormData {
  const form = new FormData();
  if (name) form.append('name', name);
  files.forEach((file) => form.append('file', file, file.name));
  return form;
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
  return new Headers(lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  }));
}

function answerOf(request: XMLHttpRequest): UploadedDataset {
  let body: unknown = null;
  try {
    body = JSON.parse(request.responseText);
  } catch {
    // not from the server but, for example, from a proxy
  }
  if (request.status >= 200 && request.status < 300 && body) return body as UploadedDataset;
  throw new ApiError(request.status, (body ?? {}) as ErrorBody, headersOf(request));
}

function sendOnce(parcel: Parcel, token: string | null, { signal, onProgress }: Sending): Promise<UploadedDataset> {
  const request = new XMLHttpRequest();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => request.abort();
  const ended = new Promise<UploadedDataset>((resolve, reject) => {
    const wait = (ms: number, sentence: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new Error(sentence));
        request.abort();
      }, ms);
    };
    wait(STALLED_MS, STALLED);
    request.upload.onprogress = ({ loaded, total }) => {
      wait(STALLED_MS, STALLED);
      onProgress(loaded, total);
    };
    request.upload.onload = () => wait(READING_MS, SILENT);
    request.onerror = () => reject(new Error(CUT));
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    request.onload = () => {
      try {
        resolve(answerOf(request));
      } catch (refusal) {
        reject(refusal as Error);
      }
    };
  });
  signal.addEventListener('abort', abort);
  request.open('POST', '/datasets');
  request.setRequestHeader('Accept', 'application/json');
  if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.send(bodyOf(parcel));
  return ended.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}

/** The new dataset. Rejects with the server's refusal, or an AbortError after `signal`. */
export async function sendFiles(parcel: Parcel, sending: Sending): Promise<UploadedDataset> {
  const token = await currentToken();
  sending.signal.throwIfAborted();
  try {
    return await sendOnce(parcel, token, sending);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || !(await refresh())) throw error;
    return sendOnce(parcel, await currentToken(), sending);
  }
}
