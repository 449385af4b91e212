import type { EpochMs } from '../../domain/time/epoch';
import { formatSecond } from '../../domain/time/localTime';
import { Problem } from '../../domain/problem';
import { parseTypedTime } from '../../domain/time/typedTime';
import { parseOptionTime } from './time';

/**
 * Parses a time for an end, as `parseOptionTime` does, or in words: a duration is from now on, and `HH:MM` is its next
 * occurrence.
 * @throws Problem `usage`, also if it has passed
 */
export function parseUntil(text: string, now: EpochMs, timeZone: string): EpochMs {
  const moment = { now, timeZone };
  const next = parseOptionTime(text, 'future', moment) ?? parseTypedTime(text, moment);
  if (next === null)
    throw new Problem(
      'usage',
      `"${text}" is not a time. Use one like 7:00, tomorrow 7am, in 8 h or 2026-11-25 07:00.`,
    );
  if (next > now) return next;
  throw new Problem(
    'usage',
    `"${text}" has passed: it is ${formatSecond(now, timeZone)} (${timeZone}). Give a future time.`,
  );
}
