import type { EpochMs } from '../../domain/time/epoch';
import { Problem } from '../../domain/problem';
import { parseOptionTime } from './time';

/**
 * Parses a time for a start, as `parseOptionTime` does: a duration is before now, and `HH:MM` is its last occurrence.
 * @throws Problem `usage`
 */
export function parseSince(text: string, now: EpochMs, timeZone: string): EpochMs {
  const time = parseOptionTime(text, 'past', { now, timeZone });
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
