import type { StepResult } from '../api/types';

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/;

function cellsOf(line: string): string[] {
  return line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|').map((cell) => cell.trim());
}

/** The end of the table whose names of columns are at `from`; `from` if there is none. */
function tableEnd(lines: string[], from: number): number {
  if (!lines[from]!.includes('|') || !RULE.test(lines[from + 1] ?? '')) return from;
  const more = lines.slice(from + 2).findIndex((line) => !line.includes('|'));
  return more < 0 ? lines.length : from + 2 + more;
}

const plain = (name: string) => name.toLowerCase().replaceAll('_', ' ');

/** The text without the tables that a step's result shows, too: with the same columns, and at least as many rows. */
export function withoutSameTables(text: string, steps: StepResult[]): string {
  const results = steps.flatMap(({ sqlResult, error }) => (sqlResult && !error ? [sqlResult] : []));
  if (results.length === 0 || !text.includes('|')) return text;
  const isShown = (names: string[], rows: number) => results.some(({ columns, rowCount }) =>
    (rowCount ?? 0) >= rows && columns.length === names.length && columns.every((c, i) => plain(c) === plain(names[i]!)));
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const end = tableEnd(lines, at);
    if (end > at && isShown(cellsOf(lines[at]!), end - at - 2)) {
      at = lines[end] === '' ? end : end - 1; // with the empty line below it
      continue;
    }
    kept.push(...lines.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1) - 1;
  }
  return kept.length < lines.length ? kept.join('\n') : text;
}
