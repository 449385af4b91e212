import { PRIORITIES, parsePriority, type Priority } from '../task/priority';

/** What a setting's value means, or the rest of a sentence that begins with the setting's name. */
export type Checked<T> = { readonly value: T } | { readonly wrong: string };

/** Names with values, as they were read. */
export type Fields = Readonly<Record<string, unknown>>;

/** A part of a setting that is not right: thrown inside one reading, and told by it. */
export class WrongPart extends Error {}

/** A value as a person wrote it. */
export function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === undefined ? 'nothing' : JSON.stringify(value);
}

/** Reads a whole setting; the first part that is not right is what is wrong with it. */
export function readWhole<T>(read: () => T): Checked<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof WrongPart) return { wrong: error.message };
    throw error;
  }
}

/** A list's entries, each told by its number where it is not right. */
export function readEntries<T>(value: unknown, example: string, read: (fields: Fields) => T): readonly T[] {
  if (!Array.isArray(value)) throw new WrongPart(`must be a list, such as ${example}; it is ${show(value)}.`);
  return value.map((entry: unknown, index) =>
    within(`entry ${String(index + 1)}`, () => read(readFields(entry, example))),
  );
}

/** Reads a part under its name: what is wrong in it is told with that. */
export function within<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WrongPart) throw new WrongPart(`${name}: ${error.message}`);
    throw error;
  }
}

/** Names with values, whatever the values are. */
export function readFields(value: unknown, example: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new WrongPart(`must be names with values, such as ${example}; it is ${show(value)}.`);
}

/** Refuses a name that means nothing: a slip of the pen must not pass for a rule. */
export function refuseOthers(fields: Fields, known: readonly string[]): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new WrongPart(`has no "${other}". It may have ${known.join(', ')}.`);
}

/** Refuses what is not right in a field's words. */
export function wrongField(name: string, rule: string, value: unknown): WrongPart {
  return new WrongPart(`${name} must be ${rule}; it is ${show(value)}.`);
}

/** What a priority may be called. */
export const PRIORITY_WORDS = `one of ${PRIORITIES.join(', ')}, or 1 (lowest) to 5`;

/** Priorities by their words; undefined where none are named. */
export function readPriorities(fields: Fields): readonly Priority[] | undefined {
  const value = fields['priorities'];
  if (value === undefined) return undefined;
  const found = findPriorities(value);
  if (found !== null && found.length > 0) return found;
  throw wrongField('priorities', `a list of ${PRIORITIES.join(', ')}, such as [low, medium]`, value);
}

/** Reads a setting that is a list of priorities, also of none. */
export function readPriorityList(value: unknown): Checked<readonly Priority[]> {
  const found = findPriorities(value);
  if (found !== null) return { value: found };
  return { wrong: `must be a list of ${PRIORITIES.join(', ')}, such as ["critical"]; it is ${show(value)}.` };
}

/** A list's priorities, the highest first; null where it is no list, or something in it is none. */
function findPriorities(value: unknown): readonly Priority[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.map((word: unknown) => readPriorityWord(word));
  return found.includes(null) ? null : PRIORITIES.filter((priority) => found.includes(priority));
}

/** A priority by its word, or by 1 to 5; null for anything else, also for nothing. */
export function readPriorityWord(value: unknown): Priority | null {
  const isNamed = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return isNamed ? parsePriority(String(value)) : null;
}
