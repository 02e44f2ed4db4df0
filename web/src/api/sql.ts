/** The SQL console: run, explain, export, saved queries, history. */
import { done, http, unwrap } from './client';
import { errorOf, ApiError } from './errors';
import { authorizedFetch } from './session';
import type { components } from './wire';

type Schemas = components['schemas'];
export type ConsoleResult = Schemas['ConsoleResult'];
export type SqlPlan = Schemas['SqlPlan'];
export type SqlPlanNode = Schemas['SqlPlanNode'];
export type SqlWarning = Schemas['SqlWarning'];
export type SavedQuery = Schemas['SavedQuery'];
export type SqlHistoryItem = Schemas['SqlHistoryItem'];
export type SqlProblem = Schemas['SqlProblem'];

export interface Statement {
  ontologyId: string;
  sql: string;
}

/** Closing the connection, by the signal, stops the query. */
export function runSql(body: Statement, signal: AbortSignal): Promise<ConsoleResult> {
  return unwrap(http.POST('/api/sql/run', { body, signal }));
}

export function explainSql(body: Statement, signal: AbortSignal): Promise<SqlPlan> {
  return unwrap(http.POST('/api/sql/explain', { body, signal }));
}

/** The whole result as a file. */
export async function exportSql(body: Statement & { format: string; rows?: number }, signal?: AbortSignal): Promise<Response> {
  const response = await authorizedFetch('/api/sql/export', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal,
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Where and why the query is wrong; null: the error is another one. */
export function sqlProblemOf(error: unknown): SqlProblem | null {
  const about = error instanceof ApiError && error.code.startsWith('SQL_') ? (error.details as SqlProblem | null) : null;
  return about && typeof about.position === 'number' ? about : null;
}

export const listQueries = (ontologyId: string) => unwrap(http.GET('/api/sql/queries', { params: { query: { ontologyId } } }));
export const addQuery = (body: Schemas['NewSavedQuery']) => unwrap(http.POST('/api/sql/queries', { body }));
export const changeQuery = (id: string, body: Schemas['SavedQueryChange']) =>
  unwrap(http.PATCH('/api/sql/queries/{id}', { params: { path: { id } }, body }));
export const removeQuery = (id: string) => done(http.DELETE('/api/sql/queries/{id}', { params: { path: { id } } }));
export const listHistory = (ontologyId: string) => unwrap(http.GET('/api/sql/history', { params: { query: { ontologyId } } }));
export const clearHistory = (ontologyId: string) => done(http.DELETE('/api/sql/history', { params: { query: { ontologyId } } }));
export const removeFromHistory = (id: string) => done(http.DELETE('/api/sql/history/{id}', { params: { path: { id } } }));
export const listFunctions = () => unwrap(http.GET('/api/sql/functions', {}));
