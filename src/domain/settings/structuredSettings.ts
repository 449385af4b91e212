import { PRIORITIES, unlessAll, parsePriority, type Priority } from '../task/priority';

/** Expectations without further data. */
type PlainKind =
  | 'boolean'
  | 'text'
  | 'url'
  | 'secret'
  | 'networks'
  | 'network'
  | 'time-zone'
  | 'command-line'
  | 'command-word'
  | 'folders'
  | 'folder'
  | 'priorities'
  | 'some-priorities'
  | 'tags'
  | 'users'
  | 'slots'
  | 'worker-name'
  | 'host'
  | 'no-password'
  | 'priority'
  | 'entries'
  | 'fields'
  | 'pool-name'
  | 'repository-name'
  | 'rule-subject'
  | 'time-of-day'
  | 'before-midnight'
  | 'other-than-from'
  | 'days';

type Plain<K extends PlainKind = PlainKind> = K extends K ? { readonly kind: K } : never;

/** Expectation for a value or a part of it. The presentation layer words it. */
export type Expected =
  | Plain
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'known-field'; readonly known: readonly string[] }
  | { readonly kind: 'duration'; readonly minMs: number }
  | { readonly kind: 'shorter-duration'; readonly maxMs: number }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly min: number; readonly max?: number }
  | { readonly kind: 'at-least-min'; readonly min: number };

/** A value that does not meet its expectation. */
export interface WrongValue {
  /** Path in the setting: entries by their number from 1, parts by their name. */
  readonly path: readonly (string | number)[];
  /** Field that holds it, if any. */
  readonly field?: string;
  readonly expected: Expected;
  readonly value: unknown;
}

/** Value of a setting, or its first invalid part. */
export type Checked<T> = { readonly value: T } | { readonly wrong: WrongValue };

/** Names with values, as they were read. */
export type Fields = Readonly<Record<string, unknown>>;

/** An invalid part of a setting: thrown while it is read, and returned by `readWhole`. */
class WrongPart extends Error {
  constructor(readonly wrong: WrongValue) {
    super(wrong.expected.kind);
  }
}

/** Returns the error for an invalid whole value or entry. */
export function wrongWhole(kind: PlainKind, value: unknown): WrongPart {
  // TypeScript does not compare a union of more than 25 kinds.
  return new WrongPart({ path: [], expected: { kind } as Plain, value });
}

/** Reads a whole setting. Returns its value, or its first invalid part. */
export function readWhole<T>(read: () => T): Checked<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof WrongPart) return { wrong: error.wrong };
    throw error;
  }
}

/** Reads the entries of a list. */
export function readEntries<T>(value: unknown, read: (fields: Fields) => T): readonly T[] {
  if (!Array.isArray(value)) throw wrongWhole('entries', value);
  return value.map((entry: unknown, index) => within(index + 1, () => read(readFields(entry))));
}

/** Reads a part. An error from it gets the part in its path. */
export function within<T>(part: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongPart)) throw error;
    throw new WrongPart({ ...error.wrong, path: [part, ...error.wrong.path] });
  }
}

/** Returns the fields of an object, with any values. @throws WrongPart */
export function readFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrongWhole('fields', value);
}

/** Refuses an unknown field: a typo must not pass for a rule. @throws WrongPart */
export function refuseOthers(fields: Fields, known: readonly string[]): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other !== undefined) throw wrongField(other, { kind: 'known-field', known }, fields[other]);
}

/** Returns the error for an invalid field. */
export function wrongField(field: string, expected: Expected, value: unknown): WrongPart {
  return new WrongPart({ path: [], field, expected, value });
}

/** Reads the field `priorities`; undefined: it is absent, or names all. @throws WrongPart */
export function readPriorities(fields: Fields): readonly Priority[] | undefined {
  const value = fields['priorities'];
  if (value === undefined) return undefined;
  const found = findPriorities(value);
  if (found !== null && found.length > 0) return unlessAll(found);
  throw wrongField('priorities', { kind: 'some-priorities' }, value);
}

/** Reads a setting that is a list of priorities, which may be empty. */
export function readPriorityList(value: unknown): Checked<readonly Priority[]> {
  const found = findPriorities(value);
  if (found !== null) return { value: found };
  return { wrong: { path: [], expected: { kind: 'priorities' }, value } };
}

/** Returns the priorities of a list, highest first; null: it is no list, or an entry is no priority. */
export function findPriorities(value: unknown): readonly Priority[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.map((word: unknown) => readPriorityWord(word));
  return found.includes(null) ? null : PRIORITIES.filter((priority) => found.includes(priority));
}

/** Returns the words of a list, without surrounding white space; null: it is no list of texts. */
export function findWords(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const words = value.map((word: unknown) => (typeof word === 'string' ? word.trim() : null));
  return words.every((word) => word !== null) ? words : null;
}

/** Returns the tags of a list; null: there is none, or one is empty or no text. */
export function findTags(value: unknown): readonly string[] | null {
  const tags = findWords(value);
  return tags === null || tags.length === 0 || tags.includes('') ? null : tags;
}

/** Returns the priority for its word, or for 1 to 5; null for anything else, including an empty text. */
export function readPriorityWord(value: unknown): Priority | null {
  const isNamed = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return isNamed ? parsePriority(String(value)) : null;
}
