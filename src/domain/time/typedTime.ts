import { timeOnDay } from './calendarDay';
import { parseDistance, UNIT_WORDS } from './duration';
import type { EpochMs } from './epoch';
import { parseTime, wallTimeOf } from './localTime';
import type { Moment } from './moment';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Time of day for a day without one. */
const USUAL: Readonly<Record<string, string>> = { tonight: '22:00', tomorrow: '9:00' };
const USUAL_OF_WEEKDAY = '9:00';

/** A cell has no seconds. */
const SPAN = new RegExp(String.raw`^(\d+(?:\.\d+)?) ?(?!s)${UNIT_WORDS}$`);

/**
 * Returns the time that words mean: `tomorrow 2am`, `22:30` (its next occurrence), `monday 9:00`, `in 2 h`, or a date
 * with its time. Null: they are not understood.
 */
export function parseTypedTime(text: string, moment: Moment): EpochMs | null {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const span = words.startsWith('in ') ? SPAN.exec(words.slice('in '.length)) : null;
  if (span !== null) {
    const [, amount = '', ...units] = span;
    const ms = parseDistance(`${amount}${units.join('')}`);
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
  const later = daysUntilNext(day, written);
  return later === 0 ? at : timeOnDay(written, now, timeZone, later);
}

/**
 * Returns the days after which a time of day that has passed is meant: one without a date, or before noon tonight, is
 * tomorrow's; that of a weekday is next week's; any other stays in the past.
 */
function daysUntilNext(day: string, time: string): number {
  if (day === '' || (day === 'tonight' && Number.parseInt(time, 10) < 12)) return 1;
  return DAYS.some((name) => isDay(name, day)) ? DAYS.length : 0;
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
  const hours = hourOfDay(Number(hour), half);
  return hours === null ? null : `${String(hours)}:${minute}`;
}

/** Returns the hour of the day that `9 pm` means; null: there is no such hour. */
export function hourOfDay(hour: number, half: string): number | null {
  return hour < 1 || hour > 12 ? null : (hour % 12) + (half === 'pm' ? 12 : 0);
}
