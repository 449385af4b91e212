import type { EpochMs } from '../../src/domain/time/epoch';
import type { Clock } from '../../src/platform/clock';

/** Names of Node's resources while real work is under way: with files, and with processes. */
const FILES = ['FSReqPromise', 'FSReqCallback'];
const PROCESSES = ['ProcessWrap'];

/** Turns of the event loop that a chain of promises takes at most if it waits for nothing. */
const TURNS = 4;

type AnyCall = (...words: readonly unknown[]) => unknown;

interface Sleeper {
  at: EpochMs;
  wake(): void;
}

/** Time that passes only while everybody sleeps: hours in milliseconds, and always in the same order. */
export class VirtualClock implements Clock {
  private readonly sleepers = new Set<Sleeper>();
  /** Processes that are not this test's to wait for. */
  private others = count(PROCESSES);
  /** Calls that somebody waits for, whatever they wait for themselves. */
  private calls = 0;

  constructor(private time: EpochMs) {}

  now(): EpochMs {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = {
        at: this.time + ms,
        wake: () => {
          this.sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      this.sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake);
    });
  }

  /** Lets time pass until the work is done, and gives what it gives. */
  async run<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const finish = (): void => {
      over.abort();
    };
    work.then(finish, finish);
    for (;;) {
      await this.settle();
      if (over.signal.aborted) return work;
      if (!this.advance(Infinity)) throw new Error('Nobody sleeps, and the work does not end.');
    }
  }

  /** Lets time pass until then. */
  async runUntil(time: EpochMs): Promise<void> {
    do await this.settle();
    while (this.advance(time));
    this.time = Math.max(this.time, time);
  }

  runFor(ms: number): Promise<void> {
    return this.runUntil(this.time + ms);
  }

  /** Somebody sets the clock on the wall; anyone who sleeps wakes after the same running time as before. */
  set(byMs: number): void {
    this.time += byMs;
    for (const sleeper of this.sleepers) sleeper.at += byMs;
  }

  /** The same, but no time passes while an answer of it is on its way. */
  attended<T extends object>(callee: T): T {
    return new Proxy(callee, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? this.attend(member.bind(target) as AnyCall) : member;
      },
    });
  }

  private attend(call: AnyCall): AnyCall {
    return (...words) => {
      const answer = call(...words);
      if (!(answer instanceof Promise)) return answer;
      this.calls += 1;
      return answer.finally(() => {
        this.calls -= 1;
      });
    };
  }

  /** A suspended machine: the clock on the wall continues, and nobody wakes. */
  suspend(ms: number): void {
    this.time += ms;
  }

  /** Waits until everybody sleeps. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < TURNS; turns += 1) {
      await new Promise(setImmediate);
      if (this.isBusy()) turns = -1;
    }
  }

  private isBusy(): boolean {
    const processes = count(PROCESSES);
    this.others = Math.min(this.others, processes);
    return this.calls > 0 || processes > this.others || count(FILES) > 0;
  }

  private advance(latest: EpochMs): boolean {
    const next = [...this.sleepers].reduce<Sleeper | null>(
      (first, sleeper) => (first === null || sleeper.at < first.at ? sleeper : first),
      null,
    );
    if (next === null || next.at > latest) return false;
    this.time = Math.max(this.time, next.at);
    next.wake();
    return true;
  }
}

function count(names: readonly string[]): number {
  return process.getActiveResourcesInfo().filter((name) => names.includes(name)).length;
}
