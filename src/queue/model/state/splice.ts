/** Change of a list at one place. */
export interface Splice<T> {
  readonly at: number;
  /** Number of elements that are removed. */
  readonly drop: number;
  readonly add: readonly T[];
}

/** Returns the change that makes one list of another; null: they are the same. */
export function findSplice<T>(before: readonly T[], after: readonly T[]): Splice<T> | null {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  if (at === before.length && at === after.length) return null;
  let same = 0;
  while (same < shorter - at && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { at, drop: before.length - same - at, add: after.slice(at, after.length - same) };
}

/** Returns the list after a change. */
export function applySplice<T>(list: readonly T[], { at, drop, add }: Splice<T>): T[] {
  return [...list.slice(0, at), ...add, ...list.slice(at + drop)];
}
