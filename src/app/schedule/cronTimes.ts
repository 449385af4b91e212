import { parseRepeatInterval } from '../../domain/time/schedule';

/** Values of one field of a cron expression, in order. */
export interface CronField {
  readonly values: readonly number[];
  /** Whether it has every possible value. */
  readonly isAny: boolean;
  /** Whether it starts with `*`. Two day fields are combined by "or" only if neither does. */
  readonly isFree: boolean;
}

/** Times of a cron expression of five fields. */
export interface CronTimes {
  /** The expression as its owner wrote it, with single spaces. */
  readonly text: string;
  readonly minutes: CronField;
  readonly hours: CronField;
  readonly days: CronField;
  readonly months: CronField;
  /** 0 is Sunday. */
  readonly weekdays: CronField;
}

interface Range {
  readonly low: number;
  readonly high: number;
  /** Names of the values from `low` on. */
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Ranges of minute, hour, day, month and day of the week, where 7 is Sunday too. */
const RANGES: readonly Range[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: MONTHS },
  { low: 0, high: 7, names: WEEKDAYS },
];

/**
 * Parses a cron expression as every `crontab` understands it: numbers, names of months and weekdays, lists, ranges and
 * steps. Null for anything else, and for times that never come.
 */
export function parseCronTimes(expression: string): CronTimes | null {
  const parts = expression.trim().split(/\s+/);
  const text = parts.join(' ');
  // An expression with more or fewer than five fields, or that never comes, is not valid for a repeating task either.
  if (parseRepeatInterval(text)?.kind !== 'cron') return null;
  const fields = RANGES.map((range, index) => parseField(parts[index] ?? '', range));
  const [minutes, hours, days, months, weekdays] = fields.filter((field) => field !== null);
  // An invalid field leaves fewer than five.
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  return { text, minutes, hours, days, months, weekdays: withOneSunday(weekdays) };
}

function parseField(text: string, range: Range): CronField | null {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const found = parsePart(part, range);
    if (found === null) return null;
    for (const value of found) values.add(value);
  }
  const sorted = [...values].sort((a, b) => a - b);
  return {
    values: sorted,
    isAny: sorted.length === range.high - range.low + 1,
    isFree: text.startsWith('*'),
  };
}

/** Parses `*`, `5`, `mon` or `1-5`; the first and the last also with a step. */
function parsePart(part: string, range: Range): number[] | null {
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/([1-9]\d*))?$/.exec(part);
  if (match === null) return null;
  const [, from, to, step] = match;
  // A single value with a step means different things to different programs.
  if (from !== undefined && to === undefined && step !== undefined) return null;
  const first = from === undefined ? range.low : parseValue(from, range);
  const last = to === undefined ? (from === undefined ? range.high : first) : parseValue(to, range);
  if (first === null || last === null || first > last) return null;
  const every = Number(step ?? 1);
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, index) => first + index * every);
}

function parseValue(text: string, { low, high, names = [] }: Range): number | null {
  const named = names.indexOf(text.toLowerCase());
  const value = named >= 0 ? low + named : /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value >= low && value <= high ? value : null;
}

function withOneSunday({ values, isFree }: CronField): CronField {
  const days = [...new Set(values.map((value) => value % WEEKDAYS.length))].sort((a, b) => a - b);
  return { values: days, isFree, isAny: days.length === WEEKDAYS.length };
}

/**
 * Whether day of the month and day of the week both restrict the days. Cron then takes the days that match either;
 * other programs take those that match both.
 */
export function hasEitherDay({ days, weekdays }: CronTimes): boolean {
  return !days.isFree && !weekdays.isFree;
}
