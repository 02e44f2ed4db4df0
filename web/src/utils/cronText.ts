/** Simple schedules in words, as cron lines, and back. */
export type Rhythm = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom';

export interface Timing {
  rhythm: Rhythm;
  /** "08:00" */
  time: string;
  /** 0: Sunday */
  weekday: number;
  cron: string;
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
export const FIRST: Timing = { rhythm: 'weekly', time: '08:00', weekday: 1, cron: '0 8 * * 1' };

export function cronOf({ rhythm, time, weekday, cron }: Timing): string {
  const [hour = 8, minute = 0] = time.split(':').map(Number);
  switch (rhythm) {
    case 'hourly': return `${minute} * * * *`;
    case 'daily': return `${minute} ${hour} * * *`;
    case 'weekdays': return `${minute} ${hour} * * 1-5`;
    case 'weekly': return `${minute} ${hour} * * ${weekday}`;
    case 'monthly': return `${minute} ${hour} 1 * *`;
    default: return cron;
  }
}

export const twoDigits = (text: string) => text.padStart(2, '0');

export function timingOf(cron: string): Timing {
  const custom: Timing = { ...FIRST, rhythm: 'custom', cron };
  const match = /^(\d{1,2}) (\d{1,2}|\*) (\*|1) \* (\*|1-5|[0-6])$/.exec(cron);
  if (!match) return custom;
  const [, minute = '', hour = '', day, of = ''] = match;
  if (hour === '*') return day === '*' && of === '*' ? { ...custom, rhythm: 'hourly', time: `08:${twoDigits(minute)}` } : custom;
  const at = { ...custom, time: `${twoDigits(hour)}:${twoDigits(minute)}` };
  if (day === '1') return of === '*' ? { ...at, rhythm: 'monthly' } : custom;
  if (of === '*') return { ...at, rhythm: 'daily' };
  return of === '1-5' ? { ...at, rhythm: 'weekdays' } : { ...at, rhythm: 'weekly', weekday: Number(of) };
}

/** "Mondays at 08:00" */
export function timingText(cron: string): string {
  const { rhythm, time, weekday } = timingOf(cron);
  switch (rhythm) {
    case 'hourly': return `every hour at minute ${Number(time.slice(3))}`;
    case 'daily': return `every day at ${time}`;
    case 'weekdays': return `Monday to Friday at ${time}`;
    case 'weekly': return `${WEEKDAYS[weekday]}s at ${time}`;
    case 'monthly': return `on the first of the month at ${time}`;
    default: return cron;
  }
}
