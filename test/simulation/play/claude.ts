import { setMaxListeners } from 'node:events';
import { NEEDS_ANSWER } from '../../../src/domain/task/reviewReasons';
import type { AttemptEvents, Job, Runner, StopCause, Verdict } from '../../../src/domain/task/attempt';
import type { LimitSignal, WindowUsage } from '../../../src/domain/gate/gate';
import type { TaskId } from '../../../src/domain/task/task';
import type { Kernel } from '../machine/kernel';
import type { ProcessTable, SimProcess } from '../machine/process';
import type { Random } from '../machine/random';

/** One run of the simulated `claude`. */
export interface Run {
  readonly id: TaskId;
  readonly job: Job;
  readonly worker: SimProcess;
  readonly claude: SimProcess;
  /** Running time at which it got its prompt; null: it never did. */
  promptedAt: number | null;
  /** Running time at which it ended; absent: it has not. */
  endedAt?: number;
  /** Verdict that its worker got; null: none. */
  verdict: Verdict | null;
}

type Short = Pick<Verdict, 'outcome' | 'reason'> & Partial<Verdict>;

/** The account's truth, which no process knows before it asks. */
export interface Account {
  /** Time on the wall until which requests are refused. */
  closedUntil: number;
  /** Reset that the account states, where it is not the true one. */
  statedReset: number | null;
  /** Whether the user is signed out. */
  isSignedOut: boolean;
}

/** `claude` on the virtual machine, with an account that has limits. */
export class Claude {
  readonly runs: Run[] = [];
  readonly account: Account = { closedUntil: 0, statedReset: null, isSignedOut: false };
  /** Whether every run succeeds from now on. */
  isKind = false;
  /** Number of next runs of repeating tasks that end with a question. */
  questionsLeft = 0;
  /** Longest run in ms. */
  longestMs: number;
  /** Called when the user has signed in again. */
  signedIn: () => void = () => undefined;
  /** Called when a run gets its prompt. */
  prompted: (run: Run) => void = () => undefined;
  private readonly over = new AbortController();

  constructor(
    private readonly kernel: Kernel,
    private readonly processes: ProcessTable,
    private readonly random: Random,
  ) {
    // One for each run.
    setMaxListeners(0, this.over.signal);
    this.longestMs = random.pick([3_000, 20_000, 20_000, 90_000]);
  }

  /** Listens to no signal any more: Node would keep those that never come, with all that listens. */
  forget(): void {
    this.over.abort();
  }

  createRunner(worker: SimProcess): Runner {
    return {
      run: (job, events, stop) => this.run(worker, { job, events, stop }),
      tracesOf: () => Promise.resolve({}),
    };
  }

  /** Returns the runs that have their prompt and have not ended. */
  living(): Run[] {
    return this.runs.filter(({ claude, promptedAt }) => promptedAt !== null && !claude.isDead);
  }

  /** Ends a process of a run as the product does: it takes a moment. */
  end(identity: { readonly pid: number }, by: SimProcess): Promise<void> {
    return new Promise((resolve) => {
      this.kernel.after(by, this.random.next() * 80, () => {
        this.processes.find(identity.pid)?.kill();
        resolve();
      });
    });
  }

  private async run(
    worker: SimProcess,
    { job, events, stop }: { readonly job: Job; readonly events: AttemptEvents; readonly stop: AbortSignal },
  ): Promise<Verdict> {
    const claude = this.processes.start('claude');
    const run: Run = { id: job.definition.id, job, worker, claude, promptedAt: null, verdict: null };
    this.runs.push(run);
    // Without its prompt it ends with its worker: its input is closed.
    const { ended } = worker;
    worker.ended = () => {
      ended();
      if (run.promptedAt === null) claude.kill();
    };
    try {
      await events.started(claude.identity);
      if (worker.isDead) return await new Promise(() => undefined);
      run.promptedAt = this.kernel.now;
      this.prompted(run);
      const short = await this.answer(run, events, stop);
      const verdict = { message: `${short.reason}.`, denials: [], usage: [], exitCode: 0, ...short };
      run.verdict = verdict;
      return verdict;
    } finally {
      claude.kill();
    }
  }

  private answer(run: Run, events: AttemptEvents, stop: AbortSignal): Promise<Short> {
    const refused = this.refusal();
    if (refused === null) {
      this.kernel.after(run.claude, 200, () => {
        if (!run.worker.isDead) events.admitted(this.usage(), undefined);
      });
    }
    const short = refused ?? this.planFor(run);
    const lastsMs =
      refused === null ? this.random.between(500, this.longestMs) : this.random.between(300, 3_000);
    return new Promise((resolve) => {
      const end = (how: Short): void => {
        timer.cancel();
        // A claude whose worker has died continues to its end, and nobody hears of it.
        run.endedAt ??= this.kernel.now;
        run.claude.kill();
        this.kernel.after(run.worker, 1, () => {
          resolve(how);
        });
      };
      const timer = this.kernel.after(run.claude, lastsMs, () => {
        end(short);
      });
      const cancel = (): void => {
        const cause = stop.reason as StopCause;
        this.kernel.after(run.worker, this.random.between(5, 900), () => {
          end({ outcome: 'cancelled', reason: cause });
        });
      };
      stop.addEventListener('abort', cancel, { signal: this.over.signal });
      if (stop.aborted) end({ outcome: 'cancelled', reason: stop.reason as StopCause });
    });
  }

  private usage(): WindowUsage[] {
    const { random, kernel } = this;
    if (random.oneIn(2)) return [];
    const now = Math.floor(kernel.wall());
    const five = {
      window: 'five_hour',
      utilization: random.next(),
      resetAt: now + random.between(1, 290) * 60_000,
    } as const;
    return [five, { window: 'seven_day', utilization: random.next() / 2, resetAt: now + 3 * 86_400_000 }];
  }

  private refusal(): Short | null {
    const now = Math.floor(this.kernel.wall());
    if (this.account.isSignedOut)
      return this.signalled('blocked', { kind: 'sign-in', resetAt: null, message: 'Sign in.' });
    if (this.account.closedUntil <= now) return null;
    const resetAt = this.account.statedReset ?? this.account.closedUntil;
    return this.signalled('limit', { kind: 'five_hour', resetAt, message: 'Limit reached.' });
  }

  private signalled(outcome: 'blocked' | 'limit', signal: LimitSignal): Short {
    return { outcome, reason: signal.kind, signal };
  }

  private planFor({ job }: Run): Short {
    if (this.isKind || this.questionsLeft === 0 || job.definition.repeat === undefined) return this.plan();
    this.questionsLeft -= 1;
    return { outcome: 'review', reason: NEEDS_ANSWER, message: 'Which one?' };
  }

  private plan(): Short {
    const { random } = this;
    if (this.isKind) return { outcome: 'success', reason: 'done' };
    return random.weighted<() => Short>([
      [10, () => ({ outcome: 'success', reason: 'done', costUsd: 0.25 })],
      [1, () => ({ outcome: 'success', reason: 'done', report: 'none' })],
      [3, () => ({ outcome: 'error', reason: random.pick(['this', 'that']), exitCode: 1 })],
      [2, () => ({ outcome: 'transient', reason: 'overloaded', exitCode: 1 })],
      [1, () => ({ outcome: 'review', reason: 'denied', denials: [{ tool: 'Bash', detail: 'rm' }] })],
      [1, () => ({ outcome: 'review', reason: NEEDS_ANSWER, message: 'Which one?' })],
      [1, () => ({ outcome: 'permanent', reason: 'unknown-model', exitCode: 1 })],
      [1, () => ({ outcome: 'error', reason: 'this', contextTokens: 200_000, exitCode: 1 })],
      [2, () => this.meetLimit()],
      [0.4, () => this.signOut()],
    ])();
  }

  private meetLimit(): Short {
    const now = Math.floor(this.kernel.wall());
    this.account.closedUntil = now + this.random.between(20_000, 900_000);
    // Farther ahead than a window of five hours is long: nobody may wait for it.
    this.account.statedReset = this.random.oneIn(8) ? now + this.random.between(6, 40) * 3_600_000 : null;
    return this.refusal() ?? { outcome: 'success', reason: 'done' };
  }

  private signOut(): Short {
    this.account.isSignedOut = true;
    this.kernel.after(null, this.random.between(10_000, 200_000), () => {
      this.account.isSignedOut = false;
      this.signedIn();
    });
    return this.refusal() ?? { outcome: 'success', reason: 'done' };
  }
}
