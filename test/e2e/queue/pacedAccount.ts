import { setTimeout as sleep } from 'node:timers/promises';
import { limit, text, tool, type Reply } from '../../support/claude/replies';
import type { Turn } from '../../support/claude/turn';

/** Requests of each attempt: it uses two tools, then answers. */
export const REQUESTS = 3;

/** Time for which an attempt that is alone waits for another one, in ms. A start of Claude Code takes less. */
const ALONE_MS = 8_000;
/** Least time from the end of a window's requests to its reset, in ms: what runs meets the limit by then. */
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
 * each, and a window is not reset before it is used up: what runs at a limit then does not depend on the machine.
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
  private waiting: (() => void)[] = [];
  private alone = new AbortController();

  constructor(
    private readonly size: WindowSize,
    /** Tool that a task uses first. */
    private readonly firstTool: (turn: Turn) => Reply | null,
  ) {}

  readonly respond = async (turn: Turn): Promise<Reply> => {
    const { session } = turn;
    const step = this.steps.get(session) ?? 0;
    if (step === 0 && !this.stopped.has(session)) await this.waitForOther();
    this.running.add(session);
    const resetInSeconds = this.charge();
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

  /** Counts a request. Returns the seconds until the reset if the window is used up, else null. */
  private charge(): number | null {
    const { requests, ms } = this.size;
    const now = Date.now();
    if (this.used === requests && this.resetAt <= now) this.used = 0;
    if (this.used === requests) return this.resetAt / 1000 - Math.floor(now / 1000);
    if (this.used === 0) this.resetAt = inWholeSeconds(now + ms);
    this.used += 1;
    if (this.used === requests) {
      this.limits += 1;
      this.resetAt = Math.max(this.resetAt, inWholeSeconds(now + USED_UP_MS));
    }
    return null;
  }

  private waitForOther(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.look();
    });
  }

  private end(session: string): void {
    this.running.delete(session);
    this.look();
  }

  /** Lets two attempts start, or one that has been alone for long enough. */
  private look(): void {
    this.alone.abort();
    if (this.waiting.length > 1) this.release();
    if (this.waiting.length === 0 || this.running.size > 0) return;
    this.alone = new AbortController();
    sleep(ALONE_MS, undefined, { signal: this.alone.signal }).then(
      () => {
        this.release();
      },
      () => undefined,
    );
  }

  private release(): void {
    for (const start of this.waiting.splice(0)) start();
  }
}

function inWholeSeconds(at: number): number {
  return Math.ceil(at / 1000) * 1000;
}
