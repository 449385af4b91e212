import { TZDate } from '@date-fns/tz';
import { PAST_RESET_MS } from '../../domain/gate/gate';
import type { EpochMs } from '../../domain/time/epoch';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** Milliseconds by which a printed time may already be in the past, since it has no seconds. */
const TRUNCATED_MS = 60 * SECOND_MS;

/**
 * Returns the reset that a limit's text names, or null if it names none that can be understood.
 *
 * Claude Code cuts times to the minute, so the true reset is up to 59 s later. Forms, measured from 1.0.60 to
 * 2.1.329: `…reached|1795212000`, `resets 3pm (Europe/London)`, `resets Nov 23, 8am`, `resets Jan 3, 2027,
 * 6:13pm`, `resets Jul 15 at 12am`, `resets Mon 12:00am`, `will reset at 3pm`. Without a zone, the machine's
 * `timeZone` (IANA) applies.
 */
export function parseReset(text: string, now: EpochMs, timeZone: string): EpochMs | null {
  const epoch = /\|(\d{10})(?:\d{3})?(?!\d)/.exec(text)?.[1];
  if (epoch !== undefined) return Number(epoch) * SECOND_MS;
  return parseClock(text, now, timeZone);
}

/**
 * Returns when access comes back after an API spend limit: `regain access on 2026-12-01 at 00:00 UTC`. Null if
 * the text does not say, or the time has passed.
 */
export function parseRegain(text: string, now: EpochMs): EpochMs | null {
  const match = /regain access on (\d{4}-\d{2}-\d{2})(?: at (\d{2}:\d{2}) UTC)?/i.exec(text);
  if (match === null) return null;
  const at = Date.parse(`${match[1]}T${match[2] ?? '00:00'}Z`);
  return at > now ? at : null;
}

const PRINTED = new RegExp(
  [
    String.raw`\bresets?\s+(?:at\s+|on\s+)?`,
    String.raw`(?:(?<weekday>${WEEKDAYS.join('|')})[a-z]*,?\s+(?:at\s+)?)?`,
    String.raw`(?:(?<month>${MONTHS.join('|')})[a-z]*\s+(?<day>\d{1,2})(?:,\s*(?<year>\d{4}))?(?:,\s*|\s+at\s+|\s+))?`,
    String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s*(?<half>[ap])\.?m\b\.?`,
    String.raw`(?:\s*\((?<zone>[A-Za-z0-9_+/-]+)\))?`,
  ].join(''),
  'i',
);

/** Year, month from 0, day, hour and minute as a local clock of the zone shows them. */
type WallTime = readonly [year: number, month: number, day: number, hour: number, minute: number];

function parseClock(text: string, now: EpochMs, machineZone: string): EpochMs | null {
  const parts = PRINTED.exec(text)?.groups;
  if (parts === undefined) return null;
  const zone = parts['zone'] ?? machineZone;
  const minute = Number(parts['minute'] ?? 0);
  const printedHour = Number(parts['hour']);
  if (printedHour < 1 || printedHour > 12 || minute > 59) return null;
  const hour = (printedHour % 12) + (parts['half']?.toLowerCase() === 'p' ? 12 : 0);
  const today = new TZDate(now, zone);
  if (Number.isNaN(today.getFullYear())) return null;
  return pickNearest(listCandidates(parts, today, hour, minute), now, zone);
}

function listCandidates(
  parts: Readonly<Record<string, string | undefined>>,
  today: TZDate,
  hour: number,
  minute: number,
): WallTime[] {
  const year = today.getFullYear();
  const month = today.getMonth();
  const date = today.getDate();
  if (parts['month'] !== undefined) {
    const named = MONTHS.indexOf(parts['month'].toLowerCase());
    const years = parts['year'] === undefined ? [year - 1, year, year + 1] : [Number(parts['year'])];
    const day = Number(parts['day']);
    return years.filter((each) => hasDay(each, named, day)).map((each) => [each, named, day, hour, minute]);
  }
  if (parts['weekday'] !== undefined) {
    const ahead = (WEEKDAYS.indexOf(parts['weekday'].toLowerCase()) - today.getDay() + 7) % 7;
    return [-7, 0, 7].map((more) => [year, month, date + ahead + more, hour, minute]);
  }
  return [-1, 0, 1].map((more) => [year, month, date + more, hour, minute]);
}

function hasDay(year: number, month: number, day: number): boolean {
  return new Date(Date.UTC(year, month, day)).getUTCDate() === day;
}

/** A longer wait leads to a time of day of tomorrow: every day is longer than this, also one on which clocks change. */
const NEARLY_A_DAY_MS = 20 * HOUR_MS;

/**
 * Returns the first candidate that has not passed, else the last of all: a full date has only one. One that passed
 * within `PAST_RESET_MS` is meant if the next is a day away: the text is read late, or the clocks differ.
 */
function pickNearest(candidates: readonly WallTime[], now: EpochMs, zone: string): EpochMs | null {
  const times = candidates.flatMap((wall) => findOccurrences(wall, zone));
  const next = times.find((at) => at > now - TRUNCATED_MS) ?? times.at(-1);
  if (next === undefined || Number.isNaN(next)) return null;
  const isFar = next > now + NEARLY_A_DAY_MS;
  const passed = isFar ? times.findLast((at) => at <= now && at >= now - PAST_RESET_MS) : undefined;
  return passed ?? next;
}

/** Amounts by which clocks are put back, in milliseconds: an hour nearly everywhere. */
const FOLDS_MS = [60, 30].map((minutes) => minutes * 60 * SECOND_MS);

/** Returns the moments at which the clock shows this time: two if it is put back over it. */
function findOccurrences(wall: WallTime, zone: string): EpochMs[] {
  const at = new TZDate(...wall, zone);
  const again = FOLDS_MS.flatMap((fold) => [at.getTime() - fold, at.getTime() + fold]).filter((other) =>
    showsSame(new TZDate(other, zone), at),
  );
  return [at.getTime(), ...again].sort((a, b) => a - b);
}

function showsSame(a: TZDate, b: TZDate): boolean {
  return a.getDate() === b.getDate() && a.getHours() === b.getHours() && a.getMinutes() === b.getMinutes();
}
