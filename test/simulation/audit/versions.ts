/** Time in ms of running time for which a process may still use an earlier version of a file. */
export const LATEST_MS = 6_000;

interface Version<T> {
  readonly value: T;
  /** Running time at which the next version came; Infinity: it is the newest. */
  until: number;
}

/** The versions of a file that a process may have seen last. */
export class Versions<T> {
  private kept: Version<T>[] = [];

  /** Adds a version that is there from now on. */
  add(value: T, now: number): void {
    const newest = this.kept.at(-1);
    if (newest?.value === value) return;
    if (newest !== undefined) newest.until = now;
    this.kept.push({ value, until: Infinity });
    this.kept = this.kept.filter(({ until }) => until > now - 20 * LATEST_MS);
  }

  /** Returns the newest version. @throws if there is none */
  get newest(): T {
    const last = this.kept.at(-1);
    if (last === undefined) throw new Error('There is no version.');
    return last.value;
  }

  /** Returns those that were there a moment ago, newest first. */
  since(now: number, forMs = LATEST_MS): T[] {
    return this.kept
      .filter(({ until }) => until === Infinity || until >= now - forMs)
      .map(({ value }) => value)
      .reverse();
  }
}
