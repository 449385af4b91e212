import { parseDuration, UNIT_WORDS } from '../../../domain/time/duration';
import { formatCellTime } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { hourOfDay, parseTypedTime } from '../../../domain/time/typedTime';
import { PRIORITIES } from '../../../domain/task/priority';
import { PERMISSION_MODES, STATUSES } from '../../../domain/task/task';
import type { Column } from '../../../queue/row/columns';
import { OUTSIDE_PARENTHESES } from '../../../queue/row/meaning';
import { nearestWord } from '../../../domain/nearestWord';

/** Words of the columns that have a few. */
const WORDS: Partial<Record<Column, readonly string[]>> = {
  priority: [...PRIORITIES, 'normal'],
  status: STATUSES,
  repeat: ['yes', 'no'],
  repeat_interval: ['daily', 'weekly', 'monthly'],
  permission_mode: PERMISSION_MODES,
};

/** Words that mean the same as a valid one, and are not near it. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['true', 'yes'],
  ['y', 'yes'],
  ['1', 'yes'],
  ['false', 'no'],
  ['n', 'no'],
  ['0', 'no'],
  ['urgent', 'critical'],
  ['highest', 'critical'],
  ['lowest', 'low'],
  ['done', 'completed'],
  ['todo', 'pending'],
  ['open', 'pending'],
  ['canceled', 'cancelled'],
  ['hourly', '1h'],
  ['yearly', '0 0 1 1 *'],
]);

/**
 * Returns texts that a cell with an invalid text may be meant to have, the likeliest first. They need not be valid:
 * the caller reads them again.
 */
export function meantTexts(column: Column, text: string, moment: Moment): readonly string[] {
  const words = WORDS[column];
  if (words !== undefined) {
    const meant = [SYNONYMS.get(text.toLowerCase()), nearestWord(text, words)];
    return meant.flatMap((word) => word ?? []);
  }
  switch (column) {
    case 'dependencies':
      return meantIds(text);
    case 'scheduled_time':
    case 'deadline':
    case 'created_at':
      return meantTimes(column, text, moment);
    case 'retry_count':
    case 'max_retries':
    case 'max_turns':
      return meantNumber(text, /^[^\d.,]*(\d+)[^\d.,]*$/);
    case 'max_budget_usd':
      return meantNumber(text, /^[^\d.,]*(\d+(?:[.,]\d{1,2})?)[^\d.,]*$/);
    case 'timeout':
      return meantDurations(text);
    case 'unless_unchanged':
      return ['true'];
    case 'verify':
      // JSON that is wrong is no command.
      return /^\s*[["{]/.test(text) ? [] : [JSON.stringify(text.trim().split(/\s+/))];
    case 'allowed_tools':
      return [joinParts(text.split(RULE_ENDS))];
    case 'tags':
      return [joinParts(text.split(/[|,;]/))];
    case 'user':
      return text.split(/[\r\n|]/).map((name) => name.trim());
    case 'model':
      return [text.trim().replace(/^-+/, '').replaceAll(/\s+/g, '-')];
    default:
      return [];
  }
}

/** Ends of rules as people write them. What is in parentheses is part of a rule. */
const RULE_ENDS = new RegExp(`[|,;]${OUTSIDE_PARENTHESES}`);

function joinParts(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('|');
}

/** Returns the ids in a text; none if numbers in it may be more than ids, such as a range. */
function meantIds(text: string): readonly string[] {
  if (/\d\s*[-–.]\s*\d/.test(text)) return [];
  const ids = [...new Set(text.match(/\d+/g))].map(Number).filter((id) => id > 0);
  return [ids.join('|')];
}

/** Returns the only number of a text; none if it has several, or parts of one: `1,000`. */
function meantNumber(text: string, form: RegExp): readonly string[] {
  const [, number] = form.exec(text) ?? [];
  return number === undefined ? [] : [number.replace(',', '.')];
}

const DATE = String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`;
const CLOCK = String.raw`(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?(am|pm)?`;
const ZONE = String.raw`(z|[+-]\d{2}:?\d{2})`;
const WRITTEN_TIME = new RegExp(String.raw`^${DATE}(?:(?:,? +|t)${CLOCK} ?${ZONE}?)?$`, 'i');

function meantTimes(column: Column, text: string, moment: Moment): readonly string[] {
  const words = parseTypedTime(text, moment);
  if (words !== null) return [formatCellTime(words, moment.timeZone)];
  const [whole, year = '', month = '', day = '', ...clock]: (string | undefined)[] =
    WRITTEN_TIME.exec(text.trim()) ?? [];
  if (whole === undefined) return [];
  const date = `${year}-${pad(month)}-${pad(day)}`;
  const zone = clock.pop();
  const time = clock[0] === undefined ? (column === 'deadline' ? '23:59' : '00:00') : clockTime(clock);
  if (time === null) return [];
  return [zone === undefined ? `${date} ${time}` : `${date}T${time}${zone.toUpperCase()}`];
}

/** Returns a time of day as `HH:MM` or `HH:MM:SS`; null: there is no such hour. */
function clockTime([hour = '', minute = '00', second, half]: readonly (string | undefined)[]): string | null {
  const hours = half === undefined ? hour : hourOfDay(Number(hour), half.toLowerCase());
  if (hours === null) return null;
  return [pad(String(hours)), minute, ...(second === undefined ? [] : [second])].join(':');
}

function pad(part: string): string {
  return part.padStart(2, '0');
}

const DURATION_PART = new RegExp(String.raw`(\d+(?:\.\d+)?) ?${UNIT_WORDS}(?![a-z])[ ,]*`, 'g');
const DURATION_UNITS = ['d', 'h', 'm', 's'];

/** Returns the duration of a text such as `2 hours` or `1h30m`, in one unit. A number alone counts minutes. */
function meantDurations(text: string): readonly string[] {
  const words = text.trim().toLowerCase();
  if (/^\d+(?:\.\d+)?$/.test(words)) return [`${words}m`];
  const parts = [...words.matchAll(DURATION_PART)];
  if (parts.map(([part]) => part).join('') !== words) return [];
  const ms = parts
    .map(([, amount = '', ...units]) => parseDuration(`${amount}${units.join('')}`) ?? 0)
    .reduce((sum, part) => sum + part, 0);
  const written = DURATION_UNITS.map((unit) => ({ unit, amount: ms / (parseDuration(`1${unit}`) ?? 1) }));
  const whole = written.find(({ amount }) => amount >= 1 && Number.isInteger(amount));
  return whole === undefined ? [] : [`${String(whole.amount)}${whole.unit}`];
}
