/** Maximum share of the time for checks: with very many files they are less frequent. */
const LARGEST_SHARE = 1 / 20;

/** Longest time without a check, in ms: a process that is frozen during one would else rest for many times as long. */
const LONGEST_REST_MS = 10_000;

/** Facts that were read from the disk, and may change there at any time. */
interface Renewable<T> {
  /** Returns itself as long as all of it is right, else its replacement. */
  renew(): T;
}

/** Keeps facts from the disk up to date, and rests between checks that take long. */
export class PacedCheck<T extends Renewable<T>> {
  private restsUntil = 0;

  /** @param now a clock that is never set back, in ms */
  constructor(
    private current: T,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns the same object as long as all of it is right. */
  look(): T {
    const startedAt = this.now();
    if (startedAt < this.restsUntil) return this.current;
    this.current = this.current.renew();
    const endedAt = this.now();
    this.restsUntil = endedAt + Math.min((endedAt - startedAt) / LARGEST_SHARE, LONGEST_REST_MS);
    return this.current;
  }
}
