import { parseDuration } from '../domain/duration';
import type { EpochMs } from '../domain/epoch';
import { formatMinute, parseTime } from '../domain/localTime';
import { Problem } from '../domain/problem';

const DAY_MS = 86_400_000;

/**
 * A time that a person gives for a beginning: a length of time before now (`7d`), `YYYY-MM-DD`, `YYYY-MM-DD HH:MM`,
 * ISO 8601, or `HH:MM`, which is the last one that was, by the clocks of `timeZone`. @throws Problem `usage`
 */
export function parseSince(text: string, now: EpochMs, timeZone: string): EpochMs {
  const ago = parseDuration(text);
  if (ago !== null) return now - ago;
  const time = parseTimeOfDay(text, now, timeZone) ?? parseTime(wholeTime(text), timeZone);
  if (time !== null) return time;
  throw new Problem(
    'usage',
    `"${text}" is neither a time nor a length of time: give 7d, HH:MM or YYYY-MM-DD HH:MM.`,
  );
}

function wholeTime(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()} 00:00` : text;
}

function parseTimeOfDay(text: string, now: EpochMs, timeZone: string): EpochMs | null {
  if (!/^\d{1,2}:\d{2}$/.test(text)) return null;
  for (const day of [now, now - DAY_MS]) {
    const date = formatMinute(day, timeZone).slice(0, 'YYYY-MM-DD'.length);
    const time = parseTime(`${date} ${text.padStart(5, '0')}`, timeZone);
    if (time === null || time <= now) return time;
  }
  return null;
}
