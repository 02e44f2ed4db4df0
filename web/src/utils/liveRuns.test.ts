import { historyOf, sinceText, workOf } from './liveRuns';

const RUN = { phase: 'executor' as const, cancelRequested: false, orphaned: false, owner: 'w1' };

describe('a run in progress', () => {
  it('is told in sentences', () => {
    expect(workOf(RUN)).toBe('Runs the queries.');
    expect(workOf({ ...RUN, cancelRequested: true, orphaned: true })).toBe('Is being stopped.');
    expect(workOf({ ...RUN, orphaned: true })).toMatch(/another one takes it over/);
    expect(workOf({ ...RUN, owner: null })).toMatch(/Waits for a process/);
    expect(workOf({ ...RUN, phase: 'of a later server' as never })).toBe('Is in progress.');
  });

  it('says for how long, and how often it began again', () => {
    expect(sinceText(-5)).toBe('for 0 seconds');
    expect(sinceText(1999)).toBe('for 1 second');
    expect(sinceText(61_000)).toBe('for 1 minute');
    expect(sinceText(7_300_000)).toBe('for 2 hours');
    expect(historyOf({ ageMs: 5000, attempt: 1 })).toBe('In progress for 5 seconds.');
    expect(historyOf({ ageMs: 5000, attempt: 0 })).toBe('In progress for 5 seconds.');
    expect(historyOf({ ageMs: 5000, attempt: 3 })).toBe('In progress for 5 seconds; started again 2 times.');
  });
});
