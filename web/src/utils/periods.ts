/** Periods on a time axis, and which of them are not complete. Times are read as they are written, without a zone. */
import type { Plan } from '../api/types';

export type PeriodUnit = 'year' | 'quarter' | 'month' | 'week' | 'day';

const DAY = 86_400_000;
const TIME = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,6})?))?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?$/;

/** Milliseconds since 1970 of a date or time as it is written; null: it is none. */
export function timeOf(text: unknown): number | null {
  const match = TIME.exec(String(text));
  if (!match) return null;
  const [year, month, day, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || day > 31) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day || 1);
  date.setUTCHours(hours, minutes, 0, seconds * 1000);
  return date.getTime();
}

const UNITS: PeriodUnit[] = ['year', 'quarter', 'month', 'week', 'day'];

function starts(unit: PeriodUnit, time: number): boolean {
  const date = new Date(time);
  if (time % DAY !== 0) return false;
  if (unit === 'day') return true;
  if (unit === 'week') return date.getUTCDay() <= 1; // Monday; Sunday in some countries
  if (date.getUTCDate() !== 1) return false;
  const months = { year: 12, quarter: 3, month: 1 }[unit];
  return date.getUTCMonth() % months === 0;
}

/** The unit that the column or the plan names, if the times begin such periods; else the longest that fits. */
export function periodUnit(times: number[], column: string, grain: string): PeriodUnit | null {
  if (times.length === 0) return null;
  const fits = (unit: PeriodUnit) => times.every((time) => starts(unit, time));
  const named = (words: string) => UNITS.find((unit) => new RegExp(`(^|[^a-z])${unit}`, 'i').test(words) && fits(unit));
  if (new Set(times).size < 2) return named(column) ?? named(grain) ?? null;
  return named(column) ?? named(grain) ?? UNITS.find(fits) ?? null;
}

export function periodEnd(start: number, unit: PeriodUnit): number {
  const date = new Date(start);
  if (unit === 'day') return start + DAY;
  if (unit === 'week') return start + 7 * DAY;
  const months = { year: 12, quarter: 3, month: 1 }[unit];
  return date.setUTCMonth(date.getUTCMonth() + months);
}

/** How a period is written on an axis with names. */
export function periodLabel(start: number, unit: PeriodUnit): string {
  const [year, month, day] = new Date(start).toISOString().slice(0, 10).split('-') as [string, string, string];
  if (unit === 'year') return year;
  if (unit === 'quarter') return `${year} Q${Math.ceil(Number(month) / 3)}`;
  return unit === 'month' ? `${year}-${month}` : `${year}-${month}-${day}`;
}

/** What an answer's rows can cover: the days of its period, and none after it was given. */
export interface Coverage {
  from: number | null;
  /** The first moment that is not covered. */
  to: number;
}

export function coverageOf(plan: Plan | null, answeredAt: string | undefined): Coverage {
  const today = timeOf((answeredAt ?? new Date().toISOString()).slice(0, 10)) ?? Date.now();
  const from = plan?.period ? timeOf(plan.period.from) : null;
  const last = plan?.period ? timeOf(plan.period.to) : null;
  return { from, to: last === null ? today : Math.min(today, last + DAY) };
}

/** Whether a part of the period is outside of what the rows cover. */
export function isIncomplete(start: number, unit: PeriodUnit, { from, to }: Coverage): boolean {
  return periodEnd(start, unit) > to || (from !== null && start < from);
}
