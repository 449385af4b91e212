import { PRIORITIES, parsePriority, type Priority } from '../task/priority';

/** What needs no more than its name. */
type PlainKind =
  | 'boolean'
  | 'text'
  | 'time-zone'
  | 'command-line'
  | 'command-word'
  | 'folders'
  | 'folder'
  | 'priorities'
  | 'some-priorities'
  | 'priority'
  | 'entries'
  | 'fields'
  | 'pool-name'
  | 'rule-subject'
  | 'time-of-day'
  | 'before-midnight'
  | 'other-than-from'
  | 'days';

type Plain<K extends PlainKind = PlainKind> = K extends K ? { readonly kind: K } : never;

/** What a value, or a part of it, has to be. The presentation layer words it. */
export type Expected =
  | Plain
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'known-field'; readonly known: readonly string[] }
  | { readonly kind: 'duration'; readonly minMs: number }
  | { readonly kind: 'shorter-duration'; readonly maxMs: number }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly min: number; readonly max?: number }
  | { readonly kind: 'at-least-min'; readonly min: number };

/** A value that is not what it has to be. */
export interface WrongValue {
  /** Where it is in the setting: entries by their number from 1, parts by their name. */
  readonly path: readonly (string | number)[];
  /** The field that holds it, where it is one. */
  readonly field?: string;
  readonly expected: Expected;
  readonly value: unknown;
}

/** The value of a setting, or what is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly wrong: WrongValue };

/** Names with values, as they were read. */
export type Fields = Readonly<Record<string, unknown>>;

/** A part of a setting that is not right: thrown inside one reading, and returned by it. */
export class WrongPart extends Error {
  constructor(readonly wrong: WrongValue) {
    super(wrong.expected.kind);
  }
}

/** What to throw where the whole value, or one of its entries, is not what it has to be. */
export function wrongWhole(kind: PlainKind, value: unknown): WrongPart {
  return new WrongPart({ path: [], expected: { kind }, value });
}

/** Reads a whole setting; the first part that is not right is what is wrong with it. */
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

/** Reads a part: what is wrong in it has the part in its path. */
export function within<T>(part: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongPart)) throw error;
    throw new WrongPart({ ...error.wrong, path: [part, ...error.wrong.path] });
  }
}

/** Names with values, whatever the values are. */
export function readFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrongWhole('fields', value);
}

/** Refuses a name that means nothing: a slip of the pen must not pass for a rule. */
export function refuseOthers(fields: Fields, known: readonly string[]): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other !== undefined) throw wrongField(other, { kind: 'known-field', known }, fields[other]);
}

/** What to throw where a field is not what it has to be. */
export function wrongField(field: string, expected: Expected, value: unknown): WrongPart {
  return new WrongPart({ path: [], field, expected, value });
}

/** Priorities by their words; undefined where none are named. */
export function readPriorities(fields: Fields): readonly Priority[] | undefined {
  const value = fields['priorities'];
  if (value === undefined) return undefined;
  const found = findPriorities(value);
  if (found !== null && found.length > 0) return found;
  throw wrongField('priorities', { kind: 'some-priorities' }, value);
}

/** Reads a setting that is a list of priorities, also of none. */
export function readPriorityList(value: unknown): Checked<readonly Priority[]> {
  const found = findPriorities(value);
  if (found !== null) return { value: found };
  return { wrong: { path: [], expected: { kind: 'priorities' }, value } };
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
