import { tzOffset } from '@date-fns/tz';
import type { EpochMs } from './epoch';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Whether `text` names a time zone that this machine knows, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns the instant of a time as people write it: `2026-11-21 09:00` in `timeZone`, or with a zone of its own (ISO
 * 8601: `2026-11-21T09:00Z`, `2026-11-21T09:00+09:00`). Seconds may follow; fractions of them are dropped. Null: it has
 * another form or is not in the calendar.
 *
 * A time that a change of the clocks skips moves forward by the skipped amount (02:30 becomes 03:30). For a time that
 * occurs twice, the first one counts.
 */
export function parseTime(text: string, timeZone: string): EpochMs | null {
  const match = TIME.exec(text.trim());
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = '00', zone] = match;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const wall = Date.parse(written);
  if (Number.isNaN(wall) || new Date(wall).toISOString() !== written) return null;
  if (zone === undefined) return instantOfWall(wall, timeZone);
  const offset = zone === 'Z' ? 0 : fixedOffset(zone);
  return offset === null ? null : wall - offset * MINUTE_MS;
}

/** Formats a time as `YYYY-MM-DD HH:MM` in `timeZone`; seconds are cut off. */
export function formatMinute(time: EpochMs, timeZone: string): string {
  return wallText(time, timeZone).slice(0, 16);
}

/**
 * Formats a time for a cell: `parseTime` reads the same minute again. As `formatMinute`, but with a zone (`2026-10-25T01:50Z`) when
 * the clocks show that minute a second time.
 */
export function formatCellTime(time: EpochMs, timeZone: string): string {
  const text = formatMinute(time, timeZone);
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  return parseTime(text, timeZone) === minute ? text : `${new Date(minute).toISOString().slice(0, 16)}Z`;
}

/** Formats a time as `YYYY-MM-DD HH:MM:SS` in `timeZone`; milliseconds are cut off. */
export function formatSecond(time: EpochMs, timeZone: string): string {
  return wallText(time, timeZone).slice(0, 19);
}

/** Returns the reading of the clocks of `timeZone` at `time`, as if it were UTC. */
export function wallTimeOf(time: EpochMs, timeZone: string): number {
  return time + tzOffset(timeZone, new Date(time)) * MINUTE_MS;
}

function wallText(time: EpochMs, timeZone: string): string {
  return new Date(wallTimeOf(time, timeZone)).toISOString().replace('T', ' ');
}

/** Returns the minutes of `+09:00` or `-0330`; null: beyond every offset in use. */
function fixedOffset(zone: string): number | null {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Returns the instant at which the clocks of `timeZone` show `wall`, a reading as if it were UTC. Skipped and doubled
 * times are as in `parseTime`. The zone's offsets a day before and a day after are the only candidates.
 */
function instantOfWall(wall: number, timeZone: string): EpochMs {
  const before = tzOffset(timeZone, new Date(wall - DAY_MS));
  const after = tzOffset(timeZone, new Date(wall + DAY_MS));
  const beforeChange = wall - before * MINUTE_MS;
  if (before === after) return beforeChange;
  const afterChange = wall - after * MINUTE_MS;
  const afterHolds = tzOffset(timeZone, new Date(afterChange)) === after;
  const beforeHolds = tzOffset(timeZone, new Date(beforeChange)) === before;
  return afterHolds && !beforeHolds ? afterChange : beforeChange;
}

/**
 * Returns the instant at which the clocks of `timeZone` show `wall` for the first time. For a time that they skip, it
 * is the moment in which they are set forward.
 */
export function instantOrChange(wall: number, timeZone: string): EpochMs {
  const instant = instantOfWall(wall, timeZone);
  const skipped = wallTimeOf(instant, timeZone) - wall;
  if (skipped === 0) return instant;
  // `skipped` milliseconds before it, the clocks still show a time before the change.
  let [before, after] = [instant - skipped, instant];
  const offset = tzOffset(timeZone, new Date(after));
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (tzOffset(timeZone, new Date(middle)) === offset) after = middle;
    else before = middle;
  }
  return after;
}
