import type { SimProcess } from './process';

/** A loaded program that runs in one process after another: code that each process loads again never gets fast. */
export class Seat {
  constructor(private current: SimProcess) {}

  /** The process in which it runs. */
  get process(): SimProcess {
    return this.current;
  }

  /** Whether nothing that its last process left can run any more when this process starts. */
  isFreeFor({ kernel }: SimProcess): boolean {
    const { current } = this;
    if (current.kernel !== kernel) return true;
    return current.diedAt !== null && current.diedAt < kernel.steps;
  }

  /** Lets another process run it. */
  take(process: SimProcess): void {
    this.current = process;
  }
}
