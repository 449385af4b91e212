/** Maximum share of the time for checks: with very many files they are less frequent. */
const LARGEST_SHARE = 1 / 20;

/** Facts that were read from the disk, and may change there at any time. */
interface Renewable<T> {
  /** Returns itself as long as all of it is right, else its replacement. */
  renew(): T;
}

/** Keeps facts from the disk up to date. */
export class UpToDate<T extends Renewable<T>> {
  private restsUntil = 0;

  constructor(private current: T) {}

  /** Returns the same object as long as all of it is right. */
  look(): T {
    const startedAt = performance.now();
    if (startedAt < this.restsUntil) return this.current;
    this.current = this.current.renew();
    const endedAt = performance.now();
    this.restsUntil = endedAt + (endedAt - startedAt) / LARGEST_SHARE;
    return this.current;
  }
}
