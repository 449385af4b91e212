import { Cron } from 'croner';
import { LONGEST_MS } from './duration';
import type { EpochMs } from './epoch';
import { MOST_COUNTED } from './skippedTimes';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DAY_MS = UNIT_MS.d;
const WORD_MS = new Map([
  ['daily', DAY_MS],
  ['weekly', 7 * DAY_MS],
  ['monthly', 30 * DAY_MS],
]);

/**
 * Returns the times of an expression as cron itself has them. One with explicit hours and minutes occurs once a day, also
 * when the clocks change. The day of the month or that of the week is enough, unless one of them starts with `*`, also in
 * a step (crontab(5)).
 */
function parseCron(text: string, timezone: string): Cron {
  const [, , day, , weekday] = text.split(/\s+/);
  const domAndDow = [day, weekday].some((field) => field?.startsWith('*'));
  return new Cron(text, { mode: '5-part', fixedTimeRule: 'no-wildcard', domAndDow, timezone });
}

/** Interval at which a task repeats. `text` is what its owner wrote. */
export type RepeatInterval =
  | { readonly kind: 'every'; readonly text: string; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly text: string };

/**
 * Reads `30m`, `12h`, `3d`, `2w`, `daily`, `weekly`, `monthly` (30 days), or a cron expression of five fields. Null: it
 * is none of these, is not positive, is longer than ten years, or never occurs (such as a 31st of February).
 */
export function parseRepeatInterval(text: string): RepeatInterval | null {
  const trimmed = text.trim();
  const everyMs = WORD_MS.get(trimmed.toLowerCase()) ?? countedMs(trimmed);
  if (everyMs !== null) {
    return everyMs > 0 && everyMs <= LONGEST_MS ? { kind: 'every', text: trimmed, everyMs } : null;
  }
  return isCron(trimmed) ? { kind: 'cron', text: trimmed } : null;
}

/** Words that every cron understands in a field, between commas, dashes and slashes. */
const CRON_WORD = /^(?:\*|\d+|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i;

/**
 * Returns the field of an expression of five fields that not every cron understands; null: there is none. `L`, `W`, `#`
 * and `?` mean something to some programs only, and not the same to all of them.
 */
export function findForeignCron(text: string): string | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return null;
  return fields.find((field) => field.split(/[,/-]/).some((word) => !CRON_WORD.test(word))) ?? null;
}

/**
 * Returns when a task that repeats by `interval` is due after `from`: that much later, or at the cron expression's next
 * time by the clocks of `timeZone`.
 * A time of day that a change of the clocks skips comes right after the change. One that occurs twice comes once. An
 * expression with `*` in its hour or minute, also in a step, continues through both: a skipped time does not come, a
 * doubled one comes twice.
 */
export function nextTime(interval: RepeatInterval, from: EpochMs, timeZone: string): EpochMs {
  if (interval.kind === 'every') return from + interval.everyMs;
  const known = KNOWN.get(interval) ?? [];
  const holds = known.find((one) => one.timeZone === timeZone && one.from <= from && from < one.next);
  if (holds !== undefined) return holds.next;
  const next = timeAfter(interval, timeZone)(from);
  KNOWN.set(interval, [{ timeZone, from, next }, ...known.slice(0, 1)]);
  return next;
}

/** Next time of a cron expression for every moment from `from` on, until it comes. */
interface KnownNext {
  readonly timeZone: string;
  readonly from: EpochMs;
  readonly next: EpochMs;
}

/** The last two next times that were asked for: the rules ask for the same ones again and again. */
const KNOWN = new WeakMap<RepeatInterval, readonly KnownNext[]>();

/** Returns `nextTime` as a function for many calls: a cron expression is parsed once. */
export function timeAfter(interval: RepeatInterval, timeZone: string): (from: EpochMs) => EpochMs {
  if (interval.kind === 'every') return (from) => from + interval.everyMs;
  const cron = parseCron(interval.text, timeZone);
  return (from) => {
    const next = cron.nextRun(new Date(from));
    if (next === null) throw new Error(`The cron expression "${interval.text}" has no next time`);
    return next.getTime();
  };
}

/** Due times of a repeating task that have passed. */
export interface PassedTimes {
  readonly count: number;
  /** The time with this index, from 0. */
  readonly at: (index: number) => EpochMs;
}

/** Returns the times after `from`, which is one itself, up to `now`. */
export function passedTimes(
  interval: RepeatInterval,
  from: EpochMs,
  now: EpochMs,
  timeZone: string,
): PassedTimes {
  if (interval.kind === 'every') {
    const { everyMs } = interval;
    return {
      count: Math.max(0, Math.floor((now - from) / everyMs)),
      at: (index) => from + (index + 1) * everyMs,
    };
  }
  const after = timeAfter(interval, timeZone);
  const times: EpochMs[] = [];
  for (let next = after(from); next <= now && times.length < MOST_COUNTED; next = after(next))
    times.push(next);
  return { count: times.length, at: (index) => times[index] ?? from };
}

function countedMs(text: string): number | null {
  const match = /^(\d+)([mhdw])$/.exec(text);
  return match === null ? null : Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

function isCron(text: string): boolean {
  if (text.split(/\s+/).length !== 5 || findForeignCron(text) !== null) return false;
  try {
    return parseCron(text, 'UTC').nextRun(new Date(0)) !== null;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}
