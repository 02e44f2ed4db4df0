import type { Plan } from '../api/types';
import { coverageOf, isIncomplete, periodEnd, periodLabel, periodUnit, timeOf } from './periods';

const at = (text: string) => timeOf(text)!;
const plan = (from: string, to: string) => ({ period: { from, to } }) as Plan;

describe('periods', () => {
  it('reads times as they are written, in any zone of the reader', () => {
    expect(new Date(at('2025-01-01')).toISOString()).toBe('2025-01-01T00:00:00.000Z');
    expect(at('2025-01')).toBe(at('2025-01-01'));
    expect(new Date(at('2025-03-09 23:30:15.25+01')).toISOString()).toBe('2025-03-09T23:30:15.250Z');
    for (const text of ['infinity', '0044-03-15 BC', '12:30:00', '2025-13-01', 'Dallas', null, '']) expect(timeOf(text)).toBeNull();
  });

  it('finds the unit by name, by grain, then by the days', () => {
    const months = ['2025-01-01', '2025-02-01', '2025-03-01'].map(at);
    expect(periodUnit(months, 'x', '')).toBe('month');
    expect(periodUnit([at('2024-01-01'), at('2025-01-01')], 'x', '')).toBe('year');
    expect(periodUnit([at('2024-01-01'), at('2025-01-01')], 'order_month', '')).toBe('month');
    expect(periodUnit([at('2024-01-01'), at('2025-01-01')], 'x', 'one row a quarter')).toBe('quarter');
    expect(periodUnit([at('2025-01-06'), at('2025-01-13')], 'x', '')).toBe('week');
    expect(periodUnit([at('2025-01-06'), at('2025-01-07'), at('2025-01-08')], 'x', 'a month')).toBe('day');
    expect(periodUnit([at('2025-01-06 10:00')], 'hour', '')).toBeNull();
    expect(periodUnit([at('2025-01-01')], 'x', '')).toBeNull(); // one day could be any of them
  });

  it('knows their ends over leap years and ends of years', () => {
    expect(periodEnd(at('2024-02-01'), 'month')).toBe(at('2024-03-01'));
    expect(periodEnd(at('2024-12-01'), 'month')).toBe(at('2025-01-01'));
    expect(periodEnd(at('2024-10-01'), 'quarter')).toBe(at('2025-01-01'));
    expect(periodEnd(at('2024-12-30'), 'week')).toBe(at('2025-01-06'));
    expect(periodLabel(at('2024-10-01'), 'quarter')).toBe('2024 Q4');
    expect(periodLabel(at('2024-10-01'), 'month')).toBe('2024-10');
  });

  it('is incomplete: the current one, and those that the period of the question cuts', () => {
    const now = coverageOf(null, '2025-11-23T10:00:00Z');
    expect(isIncomplete(at('2025-11-01'), 'month', now)).toBe(true);
    expect(isIncomplete(at('2025-10-01'), 'month', now)).toBe(false);
    expect(isIncomplete(at('2025-11-22'), 'day', now)).toBe(false);
    expect(isIncomplete(at('2025-11-23'), 'day', now)).toBe(true);
    const asked = coverageOf(plan('2025-03-10', '2025-06-15'), '2025-11-23T10:00:00Z');
    expect(['2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01'].map((day) => isIncomplete(at(day), 'month', asked))).toEqual([true, false, false, true]);
    const whole = coverageOf(plan('2025-01-01', '2025-12-31'), '2026-05-01T00:00:00Z');
    expect(isIncomplete(at('2025-12-01'), 'month', whole)).toBe(false);
  });
});
