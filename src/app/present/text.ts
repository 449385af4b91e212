import type { Place } from '../../domain/task/place';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import { clean } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';

/** Returns the first line of a text, cut to `width` characters, without control sequences of terminals. */
export function shorten(text: string, width: number): string {
  const [line = ''] = clean(text).trim().split('\n', 1);
  const characters = Array.from(line.trimEnd());
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}

const TITLE_WIDTH = 80;

/** Returns a title for a prompt: its first line, cut, and without the marks of a Markdown heading. */
export function titleOf(prompt: string): string {
  const title = shorten(prompt.trim().replace(/^#+\s+/, ''), TITLE_WIDTH);
  // Not translated: it is written to the queue.
  return title === '' ? 'Untitled' : title;
}

/** Full stop of the language. */
export const FULL_STOP = t('{0}.', '');

/** Comma of the language, with its space, between phrases. */
export const COMMA = t(', ');

/** Returns a sentence without its full stop, to continue it. */
export function withoutStop(text: string): string {
  const isForeign = FULL_STOP !== '.' && text.endsWith(FULL_STOP);
  return isForeign ? text.slice(0, -FULL_STOP.length) : text.replace(/(?<!\.)\.$/, '');
}

/** Formats a count with its noun: `1 task`, `2 tasks`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Maximum number of ids in a sentence among others. */
const MOST_NAMED = 5;

/** Lists ids in a sentence: `4 and 9`, and the number of the others if there are more than `most`. */
export function listIds(ids: readonly TaskId[], most = MOST_NAMED): string {
  const named = ids.length > most + 1 ? ids.slice(0, most) : ids.slice(0, -1);
  const rest = ids.length - named.length;
  const last = rest === 1 ? String(ids.at(-1)) : t('{0} more', rest);
  return named.length === 0 ? last : t('{0} and {1}', named.join(', '), last);
}

/** Lists texts in a sentence: `a and b and c`. */
export function joinWithAnd([first = '', ...others]: readonly string[]): string {
  return others.reduce((all, one) => t('{0} and {1}', all, one), first);
}

/** Lists alternatives in a sentence: `a or b or c`. */
export function joinWithOr([first = '', ...others]: readonly string[]): string {
  return others.reduce((all, one) => t('{0} or {1}', all, one), first);
}

/** Formats the folder of a place, and the text by which the row names it if that is another one. */
export function describeFolder({ folder, through }: Place): string {
  return through === undefined ? folder : t('{0} (through {1})', folder, through);
}

/** Formats a time as ISO 8601; null stays null. */
export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
