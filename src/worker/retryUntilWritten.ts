import { isProblem, type ProblemReason } from '../domain/problem';
import { hasCode } from '../platform/files/files';
import type { WorkerDeps } from './workerDeps';

/** How long to wait before what could not be written is written again. */
const WRITE_AGAIN_MS = 5_000;

/** How long a worker continues trying that was asked to stop, or runs a single task. */
const GIVE_UP_MS = 60_000;

/** What one try counts at most. */
const LONGEST_TRY_MS = 30_000;

/** What the user, or time, can fix without the program. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ESTALE'];

/** How often it is told that something cannot be written, where the reason stays the same. */
const TELL_AGAIN_MS = 60 * 60_000;

/**
 * A disk that is full now may have room later, and a queue file that git took away comes back: an end that happened
 * is not abandoned for it. Only a worker that was asked to stop, and one that runs a single task, do not continue with this
 * for ever; the next worker then finds a lost run. What is written one after the other shares one bound.
 */
export class RetryUntilWritten {
  private spentMs = 0;
  private reported = { message: '', at: 0 };

  constructor(
    private readonly deps: Pick<WorkerDeps, 'clock' | 'events' | 'describeError' | 'isSingle'>,
    private readonly stop: AbortSignal,
    /** What is written, as a sentence about it starts. */
    private readonly what: string,
  ) {}

  async untilWritten<T>(write: () => Promise<T>): Promise<T> {
    const { clock, isSingle } = this.deps;
    for (;;) {
      const begunAt = clock.now();
      try {
        return await write();
      } catch (error) {
        const mayPass = isProblem(error) || hasCode(error, ...DISK_CODES);
        if (!mayPass || this.spentMs >= GIVE_UP_MS) throw error;
        this.report(this.deps.describeError(error));
        await clock.sleep(WRITE_AGAIN_MS);
        // A try may itself wait, for a lock; that the clock was set, or the machine slept, is no more than that.
        const tookMs = Math.min(Math.max(clock.now() - begunAt, WRITE_AGAIN_MS), LONGEST_TRY_MS);
        if (this.stop.aborted || isSingle === true) this.spentMs += tookMs;
      }
    }
  }

  private report(message: string): void {
    const { clock, events } = this.deps;
    const { reported } = this;
    if (message === reported.message && clock.now() - reported.at < TELL_AGAIN_MS) return;
    events.trouble(`${this.what} could not be written, and will be tried again: ${message}`);
    this.reported = { message, at: clock.now() };
  }
}

/**
 * What keeps a queue from being looked at for a while: git took its file away, somebody is slow with its lock, its rules
 * were written wrong, or there is no Claude Code where they say; by a misread rule nothing is started.
 */
const PASSING: readonly ProblemReason[] = [
  'queue-missing',
  'queue-unreadable',
  'queue-unwritable',
  'queue-incomplete',
  'queue-locked',
  'queue-busy',
  'settings-invalid',
  'claude-missing',
];

/** A queue file of which no row can be read. */
const UNREAD: readonly ProblemReason[] = ['queue-missing', 'queue-unreadable', 'queue-incomplete'];

/**
 * Looks at a queue again and again. Once it could be looked at, what passes by itself is told and ends no night's work;
 * before that, the user is still there to be told at once.
 */
export class Polling {
  private hasSeen = false;
  private isTroubled = false;

  /** @param endsUnread whether the work ends where the queue file stays unreadable, rather than wait for it */
  constructor(
    private readonly deps: Pick<WorkerDeps, 'events' | 'describeError'>,
    private readonly endsUnread: () => boolean = () => false,
  ) {}

  /** What the look gives; null: not now. */
  async tryOnce<T>(look: () => Promise<T>): Promise<T | null> {
    try {
      const seen = await look();
      this.hasSeen = true;
      this.isTroubled = false;
      return seen;
    } catch (error) {
      const passes = hasCode(error, ...DISK_CODES) || (isProblem(error) && PASSING.includes(error.reason));
      if (!this.hasSeen || !passes) throw error;
      const isUnread = isProblem(error) && UNREAD.includes(error.reason);
      if (this.isTroubled && isUnread && this.endsUnread()) throw error;
      if (!this.isTroubled)
        this.deps.events.trouble(`No task can start now; retrying: ${this.deps.describeError(error)}`);
      this.isTroubled = true;
      return null;
    }
  }
}
