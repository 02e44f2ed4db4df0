/** The typed client: every path, parameter and answer is from the server's description. */
import createClient from 'openapi-fetch';
import { ApiError, type ErrorBody } from './errors';
import { authorizedFetch } from './session';
import type { paths } from './wire';

export const http = createClient<paths>({
  baseUrl: globalThis.location?.origin,
  fetch: (request) => authorizedFetch(request),
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** What an answer carries; its refusal is thrown. */
export async function unwrap<T>(answer: Promise<Answer<{ data: T }>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok || data === undefined)
    throw new ApiError(response.status, (error ?? {}) as ErrorBody, response.headers);
  return data.data;
}

/** For answers without a body. */
export async function done(answer: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await answer;
  if (!response.ok)
    throw new ApiError(response.status, (error ?? {}) as ErrorBody, response.headers);
}
