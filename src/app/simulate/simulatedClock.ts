import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';

interface Sleeper {
  readonly at: EpochMs;
  readonly wake: () => void;
}

/** Time that passes at once when everybody sleeps. Only promises and these sleeps may be waited for. */
export class SimulatedClock implements Clock {
  private readonly sleepers = new Set<Sleeper>();

  constructor(private time: EpochMs) {}

  now(): EpochMs {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: this.time + ms, wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  /**
   * Lets time pass until the work is done, and returns its result. `look` is called before time passes, when everything
   * that happens at its time has happened. @throws RangeError if it never ends
   */
  async run<T>(work: Promise<T>, look?: () => Promise<void>): Promise<T> {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    work.then(end, end);
    for (;;) {
      // Runs every promise that is ready.
      await new Promise(setImmediate);
      if (over.signal.aborted) return work;
      await look?.();
      this.wakeNext();
    }
  }

  private wakeNext(): void {
    let next: Sleeper | null = null;
    for (const sleeper of this.sleepers) if (next === null || sleeper.at < next.at) next = sleeper;
    if (next === null || next.at === Infinity)
      throw new RangeError('The simulated work waits for what never happens.');
    this.time = Math.max(this.time, next.at);
    next.wake();
  }
}
