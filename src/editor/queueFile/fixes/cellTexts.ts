import { formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { parseTypedTime } from '../../../domain/time/typedTime';
import { PRIORITIES } from '../../../domain/task/priority';
import { PERMISSION_MODES, STATUSES } from '../../../domain/task/task';
import type { Column } from '../../../queue/row/columns';
import { nearestWord } from './nearestWord';

/** Words of the columns that have a few. */
const WORDS: Partial<Record<Column, readonly string[]>> = {
  priority: [...PRIORITIES, 'normal'],
  status: STATUSES,
  repeat: ['yes', 'no'],
  repeat_interval: ['daily', 'weekly', 'monthly'],
  permission_mode: PERMISSION_MODES,
};

/** Words that mean the same as a valid one, and are not near it. */
const SYNONYMS: Readonly<Record<string, string>> = {
  true: 'yes',
  y: 'yes',
  '1': 'yes',
  false: 'no',
  n: 'no',
  '0': 'no',
  urgent: 'critical',
  highest: 'critical',
  lowest: 'low',
  done: 'completed',
  todo: 'pending',
  open: 'pending',
  canceled: 'cancelled',
  hourly: '1h',
  yearly: '0 0 1 1 *',
};

/**
 * Returns texts that a cell with an invalid text may be meant to have, the likeliest first. They need not be valid:
 * the caller reads them again.
 */
export function meantTexts(column: Column, text: string, moment: Moment): readonly string[] {
  const words = WORDS[column];
  if (words !== undefined) {
    const meant = [SYNONYMS[text.toLowerCase()], nearestWord(text, words)];
    return meant.flatMap((word) => word ?? []);
  }
  switch (column) {
    case 'dependencies':
      return [
        [...new Set(text.match(/\d+/g))]
          .map(Number)
          .filter((id) => id > 0)
          .join('|'),
      ];
    case 'scheduled_time':
    case 'deadline':
    case 'created_at':
      return meantTimes(column, text, moment);
    case 'retry_count':
    case 'max_retries':
    case 'max_turns':
      return /\d+/.exec(text) ?? [];
    case 'max_budget_usd':
      return /\d+(?:\.\d+)?/.exec(text.replace(',', '.')) ?? [];
    case 'timeout':
      return meantDurations(text);
    case 'unless_unchanged':
      return ['true'];
    case 'verify':
      return [JSON.stringify(text.trim().split(/\s+/))];
    case 'allowed_tools':
    case 'tags':
      return [meantParts(text)];
    case 'user':
      return text.split(/[\r\n|]/).map((name) => name.trim());
    case 'model':
      return [text.trim().replace(/^-+/, '').replaceAll(/\s+/g, '-')];
    default:
      return [];
  }
}

function meantParts(text: string): string {
  return text
    .split(/[|,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('|');
}

function meantTimes(column: Column, text: string, moment: Moment): readonly string[] {
  const words = parseTypedTime(text, moment);
  if (words !== null) return [formatMinute(words, moment.timeZone)];
  const match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2}))?/.exec(text.trim());
  if (match === null) return [];
  const [, year = '', month = '', day = '', hour, minute = '00'] = match;
  const pad = (part: string): string => part.padStart(2, '0');
  const time = hour === undefined ? (column === 'deadline' ? '23:59' : '00:00') : `${pad(hour)}:${minute}`;
  return [`${year}-${pad(month)}-${pad(day)} ${time}`];
}

function meantDurations(text: string): readonly string[] {
  const match = /(\d+(?:\.\d+)?)\s*([smhd])?/i.exec(text);
  if (match === null) return [];
  const [, amount = '', unit = 'm'] = match;
  return [`${amount}${unit.toLowerCase()}`];
}
