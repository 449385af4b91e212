import type { ProcessIdentity } from '../../domain/task/processIdentity';

/** Whether a value that was read from a file is a `T`, as far as its words and fields matter. */
export interface Check<T> {
  (value: unknown): value is T;
  /** For the compiler alone: a check that accepts less than every `T` does not match. */
  readonly takes?: (value: T) => void;
}

/** `T` with any text for its words: a later version may have others. */
export type AnyWord<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? number extends T['length']
      ? readonly AnyWord<Item>[]
      : T
    : T;

/** Parses JSON that was read. Returns undefined, which no check accepts, for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a value is an object whose fields can be read. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isText: Check<string> = (value) => typeof value === 'string';

export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';

/** Accepts a finite number: JSON reads one that is too large as infinite. */
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);

/** Latest time that may be stored, in ms since 1970: texts of it, and of somewhat later times, can be made. */
const LAST_TIME = 8e15;

/** Accepts a time in ms since 1970. */
export const isTime: Check<number> = (value): value is number =>
  isNumber(value) && Math.abs(value) <= LAST_TIME;

/** Accepts a number of things, or of bytes. */
export const isCount: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Accepts an integer from 1 on: the id of a task or a process. */
export const isId: Check<number> = (value): value is number => isCount(value) && value > 0;

/** Accepts a flag that is true or absent. */
export const isTrue: Check<true> = (value) => value === true;

/** Accepts the identity of a process. */
export const isProcess = fields<ProcessIdentity>({ pid: isId, startedAt: isText });

/** Returns a check for an object with these fields of a `T`, each of its type there; it may have others. */
export function fields<T extends object>(checks: {
  readonly [K in keyof NoInfer<T>]?: Check<AnyWord<T[K]>>;
}): Check<T> {
  const all = new Map<string, Check<unknown>>(Object.entries(checks));
  const needed = new Set([...all.keys()].filter((name) => all.get(name)?.(undefined) === false));
  // By the fields that the value has: most checks are of fields that most values do not have.
  return (value): value is T => {
    if (!isObject(value)) return false;
    let missing = needed.size;
    for (const name in value) {
      if (all.get(name)?.(value[name]) === false) return false;
      if (needed.has(name)) missing -= 1;
    }
    return missing === 0;
  };
}

/** Returns `value` as a list; an empty one if it is something else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function listOf<T>(isItem: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isItem);
}

/** Returns a check for an object whose names and values all pass. */
export function recordOf<K extends string, T>(
  isName: Check<K>,
  isValue: Check<T>,
): Check<Readonly<Record<K, T>>> {
  const isPair = pairOf(isName, isValue);
  return (value): value is Readonly<Record<K, T>> => isObject(value) && Object.entries(value).every(isPair);
}

export function pairOf<A, B>(isFirst: Check<A>, isSecond: Check<B>): Check<readonly [A, B]> {
  return (value): value is readonly [A, B] => Array.isArray(value) && isFirst(value[0]) && isSecond(value[1]);
}

/** Returns a check for a map that is stored as a list of pairs. */
export function pairsOf<K, T>(isKey: Check<K>, isValue: Check<T>): Check<readonly (readonly [K, T])[]> {
  return listOf(pairOf(isKey, isValue));
}

export function orNull<T>(isRight: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || isRight(value);
}

export function orAbsent<T>(isRight: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || isRight(value);
}
