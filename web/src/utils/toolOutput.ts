/** What a profile and a check of a finding say to a person. Pure. */
import { isNumeric } from './aggregateQuery';
import type { LocalResult } from './disclosure';

export interface Check {
  name: string;
  passed: boolean;
  /** If it did not pass: the finding fails; otherwise it is a warning. */
  fails: boolean;
  message: string;
}

/** The answer of validateAnalysis. */
export interface Verdict {
  finding: string;
  passed: boolean;
  confidence: string;
  checks: Check[];
  note: string | null;
}

type Members = Record<string, unknown>;

const members = (value: unknown): Members | null => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function verdictOf(output: unknown): Verdict | null {
  const data = members(members(output)?.data);
  if (!data || typeof data.passed !== 'boolean') return null;
  const checks = list(data.checks).map(members).filter((one) => one !== null);
  return {
    finding: text(data.finding), passed: data.passed, confidence: text(data.confidence), note: text(data.note) || null,
    checks: checks.map((one) => ({ name: text(one.name), passed: one.passed === true, fails: one.severity === 'fail', message: text(one.message) })),
  };
}

/** In a few words. */
export function verdictText({ passed, checks }: Verdict): string {
  if (!passed) return 'Not confirmed';
  return checks.some((check) => !check.passed) ? 'Passed, with warnings' : 'Passed';
}

/** What looks wrong with the data, and what the profile says of itself. */
export function issuesOf(output: unknown): string[] {
  const data = members(members(output)?.data);
  return data ? [...list(data.issues), data.note].map(text).filter(Boolean) : [];
}

/** Of the server's queries for a profile: columns of its "counts" and "values". */
const STATISTICS: [name: string, from: string, type: string][] = [
  ['values', 'n_values', 'BIGINT'], ['distinct', 'n_distinct', 'BIGINT'], ['mean', 'mean', 'DOUBLE'], ['deviation', 'deviation', 'DOUBLE'],
  ['outliers', 'outliers', 'BIGINT'], ['smallest', 'smallest', 'VARCHAR'], ['lower quartile', 'q1', 'DOUBLE'], ['median', 'q2', 'DOUBLE'],
  ['upper quartile', 'q3', 'DOUBLE'], ['largest', 'largest', 'VARCHAR'], ['most frequent', 'frequent', 'VARCHAR'],
];
const DIGITS = 6;

function shortNumber(value: string | null): string | null {
  const number = Number(value);
  return value === null || !Number.isFinite(number) ? null : String(Number(number.toPrecision(DIGITS)));
}

/** One row for each column of the file, from the local results of a profile's queries; null: there are none. */
export function profileTable(queries: { id: string; result: LocalResult | null }[], columns: { name: string; type: string }[]): LocalResult | null {
  const byColumn = new Map<number, Map<string, string | null>>();
  for (const { id, result } of queries) {
    const item = /^(?:counts|values)_\d+$/.test(id) ? result?.columns.indexOf('item') ?? -1 : -1;
    if (!result || item < 0) continue;
    for (const row of result.rows) {
      const at = Number(row[item]);
      const known = byColumn.get(at) ?? new Map<string, string | null>();
      result.columns.forEach((name, i) => known.set(name, row[i] ?? null));
      byColumn.set(at, known);
    }
  }
  const items = [...byColumn.keys()].filter((at) => columns[at]).sort((a, b) => a - b);
  if (items.length === 0) return null;
  const cell = (at: number, from: string, type: string) => {
    const value = byColumn.get(at)!.get(from) ?? null;
    if (from === 'outliers' && !isNumeric(columns[at]!.type)) return null; // the server counts none
    return type === 'DOUBLE' ? shortNumber(value) : value;
  };
  const missing = (at: number) => {
    const [rows, values] = [byColumn.get(at)!.get('n_rows'), byColumn.get(at)!.get('n_values')];
    return rows == null || values == null ? null : String(Number(rows) - Number(values));
  };
  const rows = items.map((at) => [
    columns[at]!.name, columns[at]!.type, missing(at), ...STATISTICS.map(([, from, type]) => cell(at, from, type)),
  ]);
  const names = ['name', 'type', 'missing', ...STATISTICS.map(([name]) => name)];
  const types = ['VARCHAR', 'VARCHAR', 'BIGINT', ...STATISTICS.map(([, , type]) => type)];
  // Statistics that no column has say nothing.
  const kept = names.map((_name, i) => i).filter((i) => rows.some((row) => row[i] !== null));
  const only = <T>(all: T[]) => kept.map((i) => all[i]!);
  return { columns: only(names), types: only(types), rows: rows.map((row) => kept.map((i) => row[i] ?? null)), truncated: false };
}
