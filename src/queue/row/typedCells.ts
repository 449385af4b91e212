import { formatCellTime } from '../../domain/time/localTime';
import type { Moment } from '../../domain/time/moment';
import { parseTypedTime } from '../../domain/time/typedTime';
import { t } from '../../platform/text/translate';
import type { Meaning } from './meaning';

/**
 * Converts a time as the user types it (`tomorrow 2am`, `22:30`, `in 2 h`) into the text of its cell. One that is not
 * understood stays as it is: reading the row reports it.
 */
export function writeTypedTime(text: string, moment: Moment): string {
  const at = text.trim() === '' ? null : parseTypedTime(text, moment);
  return at === null ? text.trim() : formatCellTime(at, moment.timeZone);
}

/** Intervals in the words that follow "every". */
const INTERVALS: ReadonlyMap<string, string> = new Map([
  ['hour', '1h'],
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
]);

/** Converts an interval as the user types it (`day` or as in the file) into the text of its cell. */
export function writeTypedInterval(text: string): string {
  const typed = text.trim();
  return INTERVALS.get(typed.toLowerCase()) ?? typed;
}

/** Characters that have a meaning in a shell outside quotes. */
const OF_SHELL = /[|&;<>`$*]+/;

/**
 * Converts a check as the user types it, in words or as JSON, into the text of its cell: `npm test` becomes
 * `["npm","test"]`. Words are separated by spaces, and quotes keep spaces. No shell ever gets them, so what only a shell
 * understands is refused outside quotes.
 */
export function readTypedCheck(text: string): Meaning<string> {
  const typed = text.trim();
  if (typed === '' || typed.startsWith('[')) return { value: typed };
  const words = splitCommand(typed);
  if (words === null) return { wrong: t('A quote in the check has no end. Close it, or remove it.') };
  const [special] = OF_SHELL.exec(withoutQuoted(typed)) ?? [];
  if (special === undefined) return { value: JSON.stringify(words) };
  return {
    wrong: t(
      'No shell runs the check, and {0} has a meaning only there. Put it in quotes to pass it to the program, or write ["sh","-c","…"].',
      special,
    ),
  };
}

/** Formats a program and its arguments as words where that keeps their meaning, else as JSON. */
export function formatCommand(words: readonly string[]): string {
  const text = words.map((word) => (isPlain(word) ? word : `"${word}"`)).join(' ');
  // A field of one line would lose line ends; JSON escapes them.
  const isKept = JSON.stringify(splitCommand(text)) === JSON.stringify(words) && !/^\[|[\r\n]/.test(text);
  return isKept ? text : JSON.stringify(words);
}

const isPlain = (word: string): boolean => /^[^\s"']+$/.test(word) && !OF_SHELL.test(word);

/** Returns the words; null if a quote does not end. */
function splitCommand(text: string): readonly string[] | null {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  // A quote that is left over belongs to no word.
  if (/["']/.test(withoutQuoted(text))) return null;
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

const withoutQuoted = (text: string): string => text.replaceAll(/"[^"]*"|'[^']*'/g, '');
