import { timeOnDay } from '../../domain/time/calendarDay';
import { parseDistance } from '../../domain/time/duration';
import type { EpochMs } from '../../domain/time/epoch';
import { parseTime } from '../../domain/time/localTime';

/**
 * Parses a time as each option takes it: a duration from now (`7d`, at most ten years), `YYYY-MM-DD`,
 * `YYYY-MM-DD HH:MM`, ISO 8601, or `HH:MM` in `timeZone`. Seconds may follow. `towards` says where a duration leads, and
 * whether the last or the next `HH:MM` is meant. Null: it is no such time.
 */
export function parseOptionTime(
  text: string,
  towards: 'past' | 'future',
  { now, timeZone }: { readonly now: EpochMs; readonly timeZone: string },
): EpochMs | null {
  const sign = towards === 'past' ? -1 : 1;
  const duration = parseDistance(text);
  if (duration !== null) return now + sign * duration;
  const today = timeOnDay(text, now, timeZone);
  const isOtherDay = today !== null && (towards === 'past' ? today > now : today <= now);
  const timeOfDay = isOtherDay ? timeOnDay(text, now, timeZone, sign) : today;
  return timeOfDay ?? parseTime(wholeTime(text), timeZone);
}

function wholeTime(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()} 00:00` : text;
}
