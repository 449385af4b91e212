import { parseDuration } from '../../domain/time/duration';
import type { EpochMs } from '../../domain/time/epoch';
import { parseTime } from '../../domain/time/localTime';
import { Problem } from '../../domain/problem';
import { timeOnDay } from '../../domain/time/calendarDay';

/**
 * Parses a time for a start: a duration before now (`7d`), `YYYY-MM-DD`, `YYYY-MM-DD HH:MM`, ISO 8601, or `HH:MM`,
 * which is its last occurrence in `timeZone`. Seconds may follow: other commands print them.
 * @throws Problem `usage`
 */
export function parseSince(text: string, now: EpochMs, timeZone: string): EpochMs {
  const ago = parseDuration(text);
  if (ago !== null) return now - ago;
  const today = timeOnDay(text, now, timeZone);
  const timeOfDay = today !== null && today > now ? timeOnDay(text, now, timeZone, -1) : today;
  const time = timeOfDay ?? parseTime(wholeTime(text), timeZone);
  if (time !== null) return time;
  throw new Problem(
    'usage',
    `"${text}" is neither a time nor a duration: give 7d, HH:MM or YYYY-MM-DD HH:MM.`,
  );
}

/**
 * Parses a time as `parseSince` does, for a start of something that has happened.
 * @throws Problem `usage`, also if the time is in the future
 */
export function parsePastSince(text: string, now: EpochMs, timeZone: string): EpochMs {
  const time = parseSince(text, now, timeZone);
  if (time <= now) return time;
  throw new Problem('usage', `"${text}" is in the future. Give an earlier time.`);
}

function wholeTime(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()} 00:00` : text;
}
