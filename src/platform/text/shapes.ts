import type { ProcessIdentity } from '../../domain/task/processIdentity';

/** Whether a value that was read from a file is a `T`, as far as its words and fields matter. */
export interface Check<T> {
  (value: unknown): value is T;
  /** For the compiler alone: a check that takes less than every `T` is none of it. */
  readonly takes?: (value: T) => void;
}

/** `T` with any text for its words: a later program may have others. */
export type AnyWord<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? number extends T['length']
      ? readonly AnyWord<Item>[]
      : T
    : T;

/** An object whose fields may be looked at. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isText: Check<string> = (value) => typeof value === 'string';

export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';

/** A number that means something: what is too large for JSON is read as infinite. */
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);

/** A number of things, or of bytes. */
export const isCount: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** What counts from one: a task's id, a process. */
export const isId: Check<number> = (value): value is number => isCount(value) && value > 0;

/** Of what is only ever set, and else absent. */
export const isTrue: Check<true> = (value) => value === true;

/** A process that can be asked for. */
export const isProcess = fields<ProcessIdentity>({ pid: isId, startedAt: isText });

/** An object with these fields of a `T`, each as the type has it; it may have others. */
export function fields<T extends object>(checks: {
  readonly [K in keyof NoInfer<T>]?: Check<AnyWord<T[K]>>;
}): Check<T> {
  const all = Object.entries(checks) as [string, Check<unknown>][];
  return (value): value is T => isObject(value) && all.every(([name, isRight]) => isRight(value[name]));
}

export function listOf<T>(isItem: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isItem);
}

/** An object whose own names and values are all right. */
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

/** A map as it is written down. */
export function pairsOf<K, T>(isKey: Check<K>, isValue: Check<T>): Check<readonly (readonly [K, T])[]> {
  return listOf(pairOf(isKey, isValue));
}

export function orNull<T>(isRight: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || isRight(value);
}

export function orAbsent<T>(isRight: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || isRight(value);
}
