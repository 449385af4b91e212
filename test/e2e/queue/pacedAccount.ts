import { setTimeout as sleep } from 'node:timers/promises';
import { limit, text, tool, type Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

/** Requests of each attempt: it uses two tools, then answers. */
export const REQUESTS = 3;

/** Time for which an attempt that is alone waits for another one to be claimed, in ms. */
const ALONE_MS = 8_000;
/** Least time from the end of a window's requests to its reset, in ms. */
const USED_UP_MS = 3_000;
/** Time that each request takes, in ms. */
const REQUEST_MS = 400;

/** Size of the account's 5-hour window. */
export interface WindowSize {
  readonly requests: number;
  readonly ms: number;
}

/**
 * An account with a small usage window. Two attempts always start together, however long the machine takes to start
 * each. A window is not reset before it is used up, nor before everything that ran then has met the limit. So what a limit
 * stops does not depend on the machine.
 */
export class PacedAccount {
  private used = 0;
  private resetAt = 0;
  /** Number of times that the window was used up. */
  limits = 0;
  /** Accepted requests of the attempts that have not ended, by session. */
  private readonly steps = new Map<string, number>();
  /** Sessions of attempts that a limit stopped. */
  private readonly stopped = new Set<string>();
  private readonly running = new Set<string>();
  /** Attempts that wait for another one. */
  private waiting: (() => void)[] = [];
  /** Attempts that a limit stopped, and that wait until it has stopped the others. */
  private resuming: (() => void)[] = [];
  private alone = new AbortController();

  constructor(
    private readonly size: WindowSize,
    /** Tool that a task uses first. */
    private readonly firstTool: (turn: Turn) => Reply | null,
    /** Number of tasks that workers run now, also of those whose Claude Code is only starting. */
    private readonly countRunning: () => Promise<number>,
  ) {}

  readonly respond = async (turn: Turn): Promise<Reply> => {
    const { session } = turn;
    const step = this.steps.get(session) ?? 0;
    const isResumed = this.stopped.has(session);
    if (isResumed) await this.waitForLimit();
    else if (step === 0) await this.waitForOther();
    this.running.add(session);
    const resetInSeconds = this.charge(isResumed || step === 0);
    if (resetInSeconds !== null) {
      this.stopped.add(session);
      this.end(session);
      return limit({ kind: 'five_hour', resetInSeconds });
    }
    this.stopped.delete(session);
    await sleep(REQUEST_MS);
    if (step + 1 < REQUESTS) {
      this.steps.set(session, step + 1);
      return (step === 0 ? this.firstTool(turn) : null) ?? tool('Glob', { pattern: '*.md' });
    }
    this.steps.delete(session);
    this.end(session);
    return text('Done.');
  };

  /**
   * Counts a request. Returns the seconds until the reset if the window is used up, else null. Only the first request of an
   * attempt finds a new window.
   */
  private charge(isFirst: boolean): number | null {
    const { requests, ms } = this.size;
    const now = Date.now();
    if (isFirst && this.used === requests && this.resetAt <= now) this.used = 0;
    if (this.used === requests) return Math.max(1, this.resetAt / 1000 - Math.floor(now / 1000));
    if (this.used === 0) this.resetAt = inWholeSeconds(now + ms);
    this.used += 1;
    if (this.used === requests) {
      this.limits += 1;
      this.resetAt = Math.max(this.resetAt, inWholeSeconds(now + USED_UP_MS));
    }
    return null;
  }

  /** Waits until what else runs has met the limit. */
  private async waitForLimit(): Promise<void> {
    if (this.used === this.size.requests && this.running.size > 0)
      await new Promise<void>((resolve) => this.resuming.push(resolve));
  }

  private waitForOther(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.look();
    });
  }

  private end(session: string): void {
    this.running.delete(session);
    if (this.running.size === 0) for (const resume of this.resuming.splice(0)) resume();
    this.look();
  }

  /** Lets two attempts start, or one that has been alone for long enough. */
  private look(): void {
    this.alone.abort();
    if (this.waiting.length > 1) this.release();
    if (this.waiting.length === 0 || this.running.size > 0) return;
    this.alone = new AbortController();
    void this.releaseAlone(this.alone.signal);
  }

  /** Waits while a worker is still starting another attempt, then lets the one that is alone start. */
  private async releaseAlone(signal: AbortSignal): Promise<void> {
    const wait = (): Promise<boolean> => sleep(ALONE_MS, true, { signal }).catch(() => false);
    do {
      if (!(await wait())) return;
    } while ((await this.countRunning()) > 1);
    if (!signal.aborted) this.release();
  }

  private release(): void {
    for (const start of this.waiting.splice(0)) start();
  }
}

function inWholeSeconds(at: number): number {
  return Math.ceil(at / 1000) * 1000;
}
