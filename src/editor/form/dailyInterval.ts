/** Repetition at one time of every day or weekday. */
export interface DailyInterval {
  readonly days: 'day' | 'weekday';
  /** Time of day, such as `09:00`. */
  readonly at: string;
}

/** Returns the time of day that a cron expression repeats at; null if it means anything else. */
export function readDailyInterval(cron: string): DailyInterval | null {
  const [, minute, hour, days] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5)$/.exec(cron.trim()) ?? [];
  if (minute === undefined || hour === undefined) return null;
  const at = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return isTimeOfDay(at) ? { days: days === '*' ? 'day' : 'weekday', at } : null;
}

/** Returns the cron expression for a time of every day or weekday; null if the time is not one. */
export function writeDailyInterval(days: DailyInterval['days'], at: string): string | null {
  if (!isTimeOfDay(at)) return null;
  const [hour = '', minute = ''] = at.trim().split(':');
  return `${String(Number(minute))} ${String(Number(hour))} * * ${days === 'day' ? '*' : '1-5'}`;
}

/** Whether a text is a time of day, such as `9:00` or `23:30`. */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]?\d|2[0-3]):[0-5]\d$/.test(text.trim());
}
