/** The typed client: paths, parameters and answers are generated from the API description. */
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

/** The body of a response; an error response is thrown. */
export async function bare<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok || data === undefined)
    throw new ApiError(response.status, (error ?? {}) as ErrorBody, response.headers);
  return data;
}

/** The data of a response, without the envelope. */
export async function unwrap<T>(answer: Promise<Answer<{ data: T }>>): Promise<T> {
  return (await bare(answer)).data;
}

/** For responses without a body. */
export async function done(answer: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await answer;
  if (!response.ok)
    throw new ApiError(response.status, (error ?? {}) as ErrorBody, response.headers);
}
