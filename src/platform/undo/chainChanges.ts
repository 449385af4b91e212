import { isSameVersion, type RawDifference } from '../git/rawDiff';

/** Changes of several attempts as one. */
export interface ChainedChanges {
  /** Files that differ before the first attempt and after the last one that changed them, sorted by path. */
  readonly changes: readonly RawDifference[];
  /** Paths that somebody else changed between two of the attempts. */
  readonly broken: readonly string[];
}

/** Joins the changes of a task's attempts, oldest first. */
export function chainChanges(attempts: readonly (readonly RawDifference[])[]): ChainedChanges {
  const joined = new Map<string, RawDifference>();
  const broken = new Set<string>();
  for (const change of attempts.flat()) {
    const earlier = joined.get(change.path);
    if (earlier !== undefined && !isSameVersion(earlier.after, change.before)) broken.add(change.path);
    joined.set(change.path, earlier === undefined ? change : { ...change, before: earlier.before });
  }
  const changes = [...joined.values()].filter(({ before, after }) => !isSameVersion(before, after));
  return { changes: changes.sort(byPath), broken: [...broken] };
}

function byPath(a: RawDifference, b: RawDifference): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
