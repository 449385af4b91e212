import { isProblem, type ProblemReason } from '../domain/problem';
import type { EpochMs } from '../domain/time/epoch';
import { hasCode } from '../platform/files/files';
import type { WorkerDeps } from './workerDeps';

/** Delay before a failed write is retried, in ms. */
const WRITE_AGAIN_MS = 5_000;

/** Time after which a worker stops retrying if it was asked to stop, or runs a single task, in ms. */
export const GIVE_UP_MS = 60_000;

/** Longest time that one write counts, in ms. */
const LONGEST_WRITE_MS = 30_000;

/** Error codes of problems that the user, or time, can fix without the program. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ESTALE'];

/** Whether the user, or time, may fix what an error of the queue is about. */
export function mayPass(error: unknown): boolean {
  return isProblem(error) || hasCode(error, ...DISK_CODES);
}

/** Interval between reports of the same problem, in ms. */
const REPORT_AGAIN_MS = 60 * 60_000;

/**
 * Retries a write until it succeeds. A full disk may have room later, and a queue file that git removed comes back.
 * So the end of an attempt is not dropped. Other errors are thrown at once. A worker that was asked to stop, or runs
 * a single task, stops retrying after a while. The next worker then finds a lost attempt. Writes of one instance
 * share that time.
 */
export class RetryUntilWritten {
  private spentMs = 0;
  private lastReport = { message: '', at: 0 };

  constructor(
    private readonly deps: Pick<WorkerDeps, 'clock' | 'events' | 'describeError' | 'isSingle'>,
    private readonly stop: AbortSignal,
    /** Subject of the sentence that reports a failed write. */
    private readonly what: string,
  ) {}

  async untilWritten<T>(write: () => Promise<T>): Promise<T> {
    const { clock, isSingle } = this.deps;
    for (;;) {
      const startedAt = clock.now();
      try {
        return await write();
      } catch (error) {
        if (!mayPass(error) || this.spentMs >= GIVE_UP_MS) throw error;
        this.report(this.deps.describeError(error));
        // A write may itself wait for a lock. A set clock or a sleeping machine counts no more than that.
        const tookMs = Math.min(Math.max(clock.now() - startedAt, 0), LONGEST_WRITE_MS);
        // The delay counts as long as it is, however long the machine sleeps in it.
        await clock.sleep(WRITE_AGAIN_MS);
        if (this.stop.aborted || isSingle === true) this.spentMs += tookMs + WRITE_AGAIN_MS;
      }
    }
  }

  private report(message: string): void {
    const { clock, events } = this.deps;
    const { lastReport } = this;
    if (message === lastReport.message && clock.now() - lastReport.at < REPORT_AGAIN_MS) return;
    events.trouble(`${this.what} could not be written, and will be tried again: ${message}`);
    this.lastReport = { message, at: clock.now() };
  }
}

/**
 * Problems that keep the queue from being read only for a while. For example, git removed its file, a lock is held
 * for long, its settings are invalid, or Claude Code is missing. No task starts meanwhile.
 */
const PASSING: readonly ProblemReason[] = [
  'queue-missing',
  'queue-unreadable',
  'queue-unwritable',
  'queue-incomplete',
  'queue-locked',
  'queue-busy',
  'redis-away',
  'settings-invalid',
  'claude-missing',
];

/**
 * Time after which a worker that would end with the last task ends if the queue file stays unreadable, in ms. Git and
 * editors take files away for moments.
 */
const END_UNREAD_MS = 30_000;

/** Problems of a queue file that leave no row readable. */
const UNREAD: readonly ProblemReason[] = ['queue-missing', 'queue-unreadable', 'queue-incomplete'];

/** Looks at a queue: to start tasks, or to recover lost attempts. */
type Look = 'start' | 'recover';

/**
 * Reads a queue again and again. After the first success, problems that pass are reported and do not end the worker.
 * Before it they are thrown, because the user is still there.
 */
export class Polling {
  private hasSeen = false;
  /** Looks that failed the last time. A look to start tasks may succeed where the end of a lost attempt cannot be written. */
  private readonly failing = new Set<Look>();
  /** Whether the queue file has been readable. One that never was ends the run at the second look. */
  private hasRead = false;
  private isTroubled = false;
  /** Time of the first look of those in a row that found the queue file unreadable; null: the last one did not. */
  private unreadSince: EpochMs | null = null;

  /** @param mayEndUnread returns whether to throw, rather than wait, while the queue file stays unreadable */
  constructor(
    private readonly deps: Pick<WorkerDeps, 'clock' | 'events' | 'describeError'>,
    private readonly mayEndUnread: () => boolean = () => false,
  ) {}

  /** Whether the last look met a problem that passes. */
  get failed(): boolean {
    return this.isTroubled;
  }

  /** Recovers lost attempts, unless a problem that passes prevents it. */
  async tryRecover(recover: () => Promise<void>): Promise<void> {
    await this.tryOnce('recover', recover);
  }

  /** Returns the result of `start`, which needs the whole queue file, or null if a problem that passes prevents it. */
  async tryStart<T>(start: () => Promise<T>): Promise<T | null> {
    const seen = await this.tryOnce('start', start);
    if (!this.failed) this.hasRead = true;
    return seen;
  }

  private async tryOnce<T>(what: Look, look: () => Promise<T>): Promise<T | null> {
    try {
      const seen = await look();
      this.hasSeen = true;
      this.isTroubled = false;
      this.unreadSince = null;
      this.noteSuccess(what);
      return seen;
    } catch (error) {
      const passes = hasCode(error, ...DISK_CODES) || (isProblem(error) && PASSING.includes(error.reason));
      if (!this.hasSeen || !passes) throw error;
      if (this.noteUnread(error)) throw error;
      if (this.failing.size === 0)
        this.deps.events.trouble(`No task can start now; retrying: ${this.deps.describeError(error)}`);
      this.failing.add(what);
      this.isTroubled = true;
      return null;
    }
  }

  private noteSuccess(what: Look): void {
    if (this.failing.delete(what) && this.failing.size === 0)
      this.deps.events.trouble('The queue can be used again.');
  }

  /** Notes whether the queue file is unreadable. Returns whether a worker that would end with the last task ends for that. */
  private noteUnread(error: unknown): boolean {
    const since = this.unreadSince;
    const isUnread = isProblem(error) && UNREAD.includes(error.reason);
    const now = this.deps.clock.now();
    this.unreadSince = isUnread ? (since ?? now) : null;
    if (!isUnread || since === null) return false;
    return now - since >= (this.hasRead ? END_UNREAD_MS : 0) && this.mayEndUnread();
  }
}
