import { Disk } from './disk';
import type { Random } from './random';

/** Something that happens at a time. */
interface Event_ {
  at: number;
  readonly order: number;
  readonly owner: Schedulable | null;
  readonly run: () => void;
  isCancelled: boolean;
}

/** A process as the kernel knows it. */
export interface Schedulable {
  readonly name: string;
  readonly isDead: boolean;
  /** Running time until which it is stopped. */
  readonly frozenUntil: number;
}

/** A handle of a timer. */
export interface Handle {
  cancel(): void;
}

/**
 * Time and order of everything that happens in a history. There are two clocks: running time, by which timers fire, and
 * the clock on the wall, which may be set and which continues while the machine sleeps.
 */
export class Kernel {
  /** Running time in ms. */
  now = 0;
  private wallAhead: number;
  private order = 0;
  private readonly heap: Event_[] = [];
  readonly disk: Disk;
  /** Number of events so far. */
  steps = 0;
  /** Called when a process runs in circles within one step, so that time would stand still. */
  spinning: (process: Schedulable) => void = () => undefined;

  constructor(
    readonly random: Random,
    startedAt: number,
  ) {
    this.wallAhead = startedAt;
    this.disk = new Disk(() => this.wall());
  }

  /** Returns the time on the wall in ms since 1970, with its fraction. */
  wall(): number {
    return this.now + this.wallAhead;
  }

  /** Sets the clock on the wall, or lets the machine sleep. */
  step(byMs: number): void {
    this.wallAhead += byMs;
  }

  /** Calls back after this running time, unless the process has died. */
  after(owner: Schedulable | null, delayMs: number, run: () => void): Handle {
    this.order += 1;
    const event = { at: this.now + Math.max(delayMs, 0), order: this.order, owner, run, isCancelled: false };
    this.push(event);
    return {
      cancel: () => {
        event.isCancelled = true;
      },
    };
  }

  /** Does something a moment later, as a disk does, and gives its result. Never settles in a process that has died. */
  io<T>(owner: Schedulable, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.after(owner, this.latency(), () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  private latency(): number {
    const { random } = this;
    return random.oneIn(60) ? random.next() * 40 : 0.01 + random.next() * 0.3;
  }

  /**
   * Lets time pass until `isOver`, or until this running time. `settled` is called after each event, when all that
   * followed from it at once has happened.
   */
  async run(until: number, isOver: () => boolean, settled: () => Promise<void>): Promise<void> {
    await settle();
    await settled();
    while (!isOver()) {
      const next = this.heap[0];
      if (next === undefined || next.at > until) break;
      this.pop();
      if (next.isCancelled || next.owner?.isDead === true) continue;
      if (next.owner !== null && next.owner.frozenUntil > next.at) {
        next.at = next.owner.frozenUntil;
        this.push(next);
        continue;
      }
      this.now = Math.max(this.now, next.at);
      this.steps += 1;
      next.run();
      await settle();
      await settled();
    }
    if (!isOver() && until !== Infinity) this.now = Math.max(this.now, until);
  }

  private push(event: Event_): void {
    const { heap } = this;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, event)) break;
      heap[at] = above;
      heap[parent] = event;
      at = parent;
    }
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const [child, least] = other !== undefined && isBefore(other, one) ? [left + 1, other] : [left, one];
      if (isBefore(last, least)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Event_, b: Event_): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Resolves when everything that follows at once from what was called has happened. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
