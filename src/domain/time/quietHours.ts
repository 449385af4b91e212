import type { EpochMs } from './epoch';
import { instantOrChange, wallTimeOf } from './localTime';
import { PRIORITIES, type Priority } from '../task/priority';
import {
  readEntries,
  readPriorities,
  readWhole,
  refuseOthers,
  wrongField,
  type Checked,
  type Fields,
} from '../settings/structuredSettings';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MINUTES_A_DAY = 24 * 60;

/** Days of the week, as quiet hours name them. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Fields of an entry of the setting `quietHours`. */
export const QUIET_HOURS_FIELDS = ['from', 'to', 'days', 'priorities'] as const;

/** Hours of the day in which no task starts. */
export interface QuietHours {
  /** Minutes after midnight by the queue's clock. */
  readonly from: number;
  /** End, likewise; not later than `from` means on the next day. */
  readonly to: number;
  /** The days on which they start, 0 is Sunday. */
  readonly days: readonly number[];
  /** Absent: all. */
  readonly priorities?: readonly Priority[];
}

/** Quiet hours that are in force. */
export interface Quiet {
  /** When a task of that priority may start again; null: never. */
  readonly until: EpochMs | null;
  /** Whether they apply to every priority. */
  readonly isForAll: boolean;
}

/** Reads the setting `quietHours`. */
export function readQuietHours(value: unknown): Checked<readonly QuietHours[]> {
  return readWhole(() => readEntries(value, readHours));
}

function readHours(fields: Fields): QuietHours {
  refuseOthers(fields, QUIET_HOURS_FIELDS);
  const [from, to] = [readTimeOfDay(fields, 'from'), readTimeOfDay(fields, 'to')];
  if (from === MINUTES_A_DAY) throw wrongField('from', { kind: 'before-midnight' }, fields['from']);
  if (from === to) throw wrongField('to', { kind: 'other-than-from' }, fields['to']);
  const priorities = readPriorities(fields);
  return { from, to, days: readDays(fields['days']), ...(priorities === undefined ? {} : { priorities }) };
}

function readTimeOfDay(fields: Fields, name: string): number {
  const value = fields[name];
  const [, hour, minute] = typeof value === 'string' ? (/^(\d?\d):(\d\d)$/.exec(value.trim()) ?? []) : [];
  const minutes = Number(hour) * 60 + Number(minute);
  if (Number(minute) < 60 && minutes <= MINUTES_A_DAY) return minutes;
  throw wrongField(name, { kind: 'time-of-day' }, value);
}

/** Reads `mon-fri`, `sat,sun`, `fri-mon`: days and ranges of days, separated by commas. */
function readDays(value: unknown): readonly number[] {
  if (value === undefined) return DAYS.map((_, day) => day);
  const parts = typeof value === 'string' ? value.toLowerCase().split(',') : [];
  const days = parts.map((part) => readSummary(part.trim()));
  if (days.length > 0 && days.every((summary) => summary !== null)) return [...new Set(days.flat())];
  throw wrongField('days', { kind: 'days' }, value);
}

function readSummary(text: string): number[] | null {
  const [first = '', last = first, ...more] = text.split('-');
  const [from, to] = [dayOf(first), dayOf(last)];
  if (from < 0 || to < 0 || more.length > 0) return null;
  const count = ((to - from + DAYS.length) % DAYS.length) + 1;
  return Array.from({ length: count }, (_, index) => (from + index) % DAYS.length);
}

function dayOf(name: string): number {
  return DAYS.findIndex((day) => day === name.trim());
}

/** Quiet hours repeat every week. Those that last longer, with a day for a change of the clocks, never end. */
const LONGEST_MS = 8 * DAY_MS;

/** Returns the quiet hours in force at `now` for tasks of this priority, and when they end; null: none. */
export function findQuiet(
  hours: readonly QuietHours[],
  priority: Priority,
  now: EpochMs,
  timeZone: string,
): Quiet | null {
  const concerned = hours.filter(({ priorities = PRIORITIES }) => priorities.includes(priority));
  let [until, isForAll] = [now, true];
  while (until - now <= LONGEST_MS) {
    const longest = longestAt(concerned, until, timeZone);
    if (longest === null) return until === now ? null : { until, isForAll };
    until = longest.until;
    isForAll &&= longest.isForAll;
  }
  return { until: null, isForAll };
}

/** Returns the quiet hours in force at `now` for tasks of every priority; null: none. */
export function findQuietForAll(hours: readonly QuietHours[], now: EpochMs, timeZone: string): Quiet | null {
  const forAll = hours.filter(({ priorities }) => priorities === undefined);
  return findQuiet(forAll, 'critical', now, timeZone);
}

function longestAt(
  hours: readonly QuietHours[],
  at: EpochMs,
  timeZone: string,
): { until: EpochMs; isForAll: boolean } | null {
  let longest: { until: EpochMs; isForAll: boolean } | null = null;
  for (const one of hours) {
    const until = endAt(one, at, timeZone);
    if (until === null || until <= (longest?.until ?? at)) continue;
    longest = { until, isForAll: one.priorities === undefined };
  }
  return longest;
}

/**
 * Returns when the hours that contain `at` end. They started today or, over midnight, yesterday. A start or end that
 * the clocks skip is the moment in which they are set forward. For one that occurs twice, the first counts.
 */
function endAt({ from, to, days }: QuietHours, at: EpochMs, timeZone: string): EpochMs | null {
  const today = Math.floor(wallTimeOf(at, timeZone) / DAY_MS) * DAY_MS;
  for (const day of [today, today - DAY_MS]) {
    if (!days.includes(new Date(day).getUTCDay())) continue;
    const start = instantOrChange(day + from * MINUTE_MS, timeZone);
    const end = instantOrChange(day + (to > from ? 0 : DAY_MS) + to * MINUTE_MS, timeZone);
    if (at >= start && at < end) return end;
  }
  return null;
}
