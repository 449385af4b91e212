import { timeOnDay } from './calendarDay';
import { parseDuration } from './duration';
import type { EpochMs } from './epoch';
import { parseTime, wallTimeOf } from './localTime';
import type { Moment } from './moment';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Time of day for a day without one. */
const USUAL: Readonly<Record<string, string>> = { tonight: '22:00', tomorrow: '9:00' };
const USUAL_OF_WEEKDAY = '9:00';

/**
 * Returns the time that words mean: `tomorrow 2am`, `22:30` (its next occurrence), `monday 9:00`, `in 2 h`, or a date
 * with its time. Null: they are not understood.
 */
export function parseTypedTime(text: string, moment: Moment): EpochMs | null {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const span = /^in (\d+(?:\.\d+)?) ?(m|h|d)[a-z]*$/.exec(words);
  if (span !== null) {
    const ms = parseDuration(`${span[1] ?? ''}${span[2] ?? ''}`);
    return ms === null ? null : moment.now + ms;
  }
  const [, day = '', time = ''] = /^([a-z]*) ?(?:at )?(.*)$/.exec(words) ?? [];
  return parseDay(day, time, moment) ?? parseDay('', words, moment) ?? parseTime(text, moment.timeZone);
}

function parseDay(day: string, time: string, { now, timeZone }: Moment): EpochMs | null {
  const clock = readClock(time);
  const days = daysUntil(day, now, timeZone);
  if (days === null) return null;
  const usual = USUAL[day] ?? (DAYS.some((name) => isDay(name, day)) ? USUAL_OF_WEEKDAY : null);
  const written = time === '' ? usual : clock;
  if (written === null) return null;
  const at = timeOnDay(written, now, timeZone, days);
  if (at === null || at > now || days > 0) return at;
  // A time of day without a date is its next occurrence; a weekday is the next one.
  if (day === '') return timeOnDay(written, now, timeZone, 1);
  return DAYS.some((name) => isDay(name, day)) ? timeOnDay(written, now, timeZone, DAYS.length) : at;
}

/** Returns the number of calendar days until a day; null: it is no day. */
function daysUntil(day: string, now: EpochMs, timeZone: string): number | null {
  if (day === '' || day === 'today' || day === 'tonight') return 0;
  if (day === 'tomorrow') return 1;
  const index = DAYS.findIndex((name) => isDay(name, day));
  if (index < 0) return null;
  const today = new Date(wallTimeOf(now, timeZone)).getUTCDay();
  return (index - today + DAYS.length) % DAYS.length;
}

function isDay(name: string, day: string): boolean {
  return day.length >= 3 && name.startsWith(day);
}

/** Returns a time of day as `H:MM`; null: it is none. */
function readClock(text: string): string | null {
  if (text === 'noon') return '12:00';
  if (text === 'midnight') return '0:00';
  const match = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(text);
  if (match === null) return null;
  const [, hour = '', minute = '00', half] = match;
  if (half === undefined) return text.includes(':') ? `${hour}:${minute}` : null;
  if (Number(hour) < 1 || Number(hour) > 12) return null;
  return `${String((Number(hour) % 12) + (half === 'pm' ? 12 : 0))}:${minute}`;
}
