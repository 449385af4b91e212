import { nameReason } from '../domain/reasons/reason';
import type { EpochMs } from '../domain/time/epoch';
import type { ReachedBound } from '../domain/queue/reachedBound';
import type { Claimed, ClaimRequest, Idle } from '../queue/taskQueue';
import { Asking } from './asking';
import { needsSlot } from './backlog';
import { admitOrRelease, releaseClaim } from './attempt/releaseClaim';
import type { ChangeSignal } from './changeSignal';
import { type Bounds, type Meter, NextReservation } from './bounds/bounds';
import { DiffChain } from './attempt/diffChain';
import { recoverLost } from './attempt/lostAttempts';
import { notifyMeanwhile } from './notifyMeanwhile';
import { buildClaimRequest, claimReady, ONE_SLOT, type WorkerDeps } from './workerDeps';
import type { Preemptions } from './preemptions';
import { mayPass, Polling, RetryUntilWritten } from './retryUntilWritten';
import type { Ended } from './attempt/attemptEnd';
import { runAttempt } from './attempt/runAttempt';
import { skipIfUnchanged } from './attempt/skipUnchanged';
import { removeLeftovers } from './attempt/verifyBefore';
import { type RunSummary, RunCounters } from './bounds/runCounters';

/** Bounds and signals of one worker. */
export interface LoopPlan {
  readonly bounds: Bounds;
  readonly meter: Meter;
  /** Rings at every change of the queue. */
  readonly changeSignal: ChangeSignal;
  readonly stop: AbortSignal;
  readonly preemptions: Preemptions;
}

/**
 * Longest wait before the queue is read again, in ms, unless it is given. Another process may have opened the gate or
 * died, and the clock may have been set.
 */
const LOOK_AGAIN_MS = 5_000;

/** Time by which a wait must end too late to count as a jump of the clock, in ms: a busy machine is late by less. */
const CLOCK_JUMP_MS = 30_000;

/** Wait before an unapproved row is reported, in ms: `add` writes a row, then approves it. */
const APPROVAL_MS = 2_000;

/** Runs the tasks of one worker, several at once, and waits between them. */
export class WorkerLoop {
  /** Running chains of attempts: the end of one claims the next. Each takes one slot. */
  private readonly chains = new Set<Promise<void>>();
  private readonly counters = new RunCounters();
  private readonly asking = new Asking();
  /** Time by which the clock has jumped ahead since that was last recorded, in ms. */
  private clockJumpMs: number | undefined;
  /** Name of the idle reason that was reported last. */
  private lastReason = '';
  /** Name of the idle reason, and since when it holds. */
  private idleReason = { name: '', since: 0 };
  /** First error of an attempt or of a claim. No more tasks start, and `work` throws it at the end. */
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly deps: WorkerDeps,
    private readonly plan: LoopPlan,
  ) {}

  async work(): Promise<RunSummary> {
    await this.loop().catch(this.fail);
    await this.returnUnanswered().catch(this.fail);
    await notifyMeanwhile(this.deps, Promise.all(this.chains));
    await this.deps.awake?.end();
    await this.deps.notices?.finish();
    if (this.failure !== null) throw this.failure.error;
    return this.counters.sum(this.plan.meter);
  }

  private readonly fail = (error: unknown): void => {
    this.failure ??= { error };
  };

  private async loop(): Promise<void> {
    const polling = new Polling(
      this.deps,
      () => this.plan.bounds.untilEmpty === true && this.chains.size === 0,
    );
    const recoverLostAttempts = (): Promise<void> => recoverLost(this.deps);
    await polling.tryRecover(recoverLostAttempts);
    await removeLeftovers(this.deps);
    while (this.mayContinue()) {
      const idle = await polling.tryStart(() => this.startOrMakeRoom());
      this.deps.notices?.look();
      this.keepMachineAwake(idle);
      if (idle !== null && this.shouldStop(idle)) {
        if (idle.stop === undefined) this.counters.end(idle);
        return;
      }
      await this.waitForChange(idle);
      if (!polling.failed) await polling.tryRecover(recoverLostAttempts);
    }
    if (!this.isStopped() && this.failure === null) await this.holdAtBound();
  }

  /** Returns the task of a claim whose answer is missing, unless the queue is still away: nobody would run it. */
  private async returnUnanswered(): Promise<void> {
    if (!this.asking.isUnanswered) return;
    try {
      const next = await this.ask();
      if (next.kind === 'claimed') await releaseClaim(this.deps, next, this.plan.stop);
    } catch (error) {
      if (!mayPass(error)) throw error;
    }
  }

  private keepMachineAwake(idle: Idle | null): void {
    const { awake } = this.deps;
    if (this.chains.size > 0) awake?.whileRunning();
    else if (idle !== null) awake?.whileIdle(idle);
  }

  private mayContinue(): boolean {
    return !this.isStopped() && this.failure === null && this.findReached() === null;
  }

  private isStopped(): boolean {
    const { stop, bounds } = this.plan;
    return stop.aborted || bounds.drainSignal?.aborted === true;
  }

  private findReached(): ReachedBound | null {
    return this.plan.meter.findReached(this.deps.clock.now());
  }

  /** Pauses the queue before running attempts end, so that no other worker starts tasks past the bound. */
  private async holdAtBound(): Promise<void> {
    const { queue, createId } = this.deps;
    const bound = this.findReached();
    if (bound === null) return;
    const op = createId();
    const hold = (): Promise<void> => queue.hold({ by: 'bounds', why: '', bound }, op);
    await new RetryUntilWritten(this.deps, this.plan.stop, 'The pause of the queue').untilWritten(hold);
    this.counters.bound = bound;
  }

  private async startOrMakeRoom(): Promise<Idle | null> {
    const idle = await this.startReady();
    if (idle?.stop === undefined) await this.plan.preemptions.look(this.deps, () => this.isFull());
    return idle;
  }

  /** Starts ready tasks. Returns why no task is ready; null if no slot is free, a bound is reached, or a stop was asked for. */
  private async startReady(): Promise<Idle | null> {
    const { meter } = this.plan;
    let hasAsked = false;
    // A stop may come at any await: what a stopped worker claims is released at once, and would be ready again.
    while ((await this.hasRoom()) && this.mayContinue() && meter.reserve(this.deps.clock.now())) {
      let next: Claimed | Idle | undefined;
      try {
        next = await this.ask();
      } finally {
        if (next?.kind !== 'claimed') meter.settle('unused');
      }
      hasAsked = true;
      if (next.kind === 'idle') {
        this.counters.rest(next);
        return next;
      }
      if (await this.admitOrSettle(next)) this.startChain(next);
    }
    if (!hasAsked) await this.noteInputs();
    return null;
  }

  /** Records the inputs of decisions that have changed, as a claim does. */
  private async noteInputs(): Promise<void> {
    const { queue, createId } = this.deps;
    await queue.noteInputs(await buildClaimRequest(this.deps, this.askingNow()), createId());
    this.clockJumpMs = undefined;
  }

  private async ask(): Promise<Claimed | Idle> {
    const { createId } = this.deps;
    const next = await this.asking.ask(createId, (op) => claimReady(this.deps, this.askingNow(), op));
    this.asking.noteAnswer(this.deps.clock.now());
    this.clockJumpMs = undefined;
    return next;
  }

  private askingNow(): Pick<ClaimRequest, 'askingSince' | 'clockJumpMs'> {
    const askingSince = this.asking.since(this.deps.clock.now());
    const { clockJumpMs } = this;
    return {
      ...(askingSince === undefined ? {} : { askingSince }),
      ...(clockJumpMs === undefined ? {} : { clockJumpMs }),
    };
  }

  private async hasRoom(): Promise<boolean> {
    if (await this.isFull()) return false;
    const { slots = ONE_SLOT } = this.deps;
    const { size } = this.chains;
    // The task of an unanswered claim is not ready any more.
    return size < Math.max(slots.min, 1) || this.asking.isUnanswered || (await needsSlot(this.deps, size));
  }

  /** Whether it runs as many tasks as it may. */
  private async isFull(): Promise<boolean> {
    const { slots = ONE_SLOT, rules } = this.deps;
    const { settings } = await rules.read();
    return this.chains.size >= Math.min(slots.max, settings.maxRunning);
  }

  /**
   * Whether the loop ends: workers were asked to stop, or an `untilEmpty` run has nothing left that starts by itself.
   */
  private shouldStop(idle: Idle): boolean {
    if (idle.stop !== undefined) return true;
    return this.plan.bounds.untilEmpty === true && this.chains.size === 0 && !idle.passesByItself;
  }

  private startChain(first: Claimed): void {
    this.lastReason = '';
    const diffs = new DiffChain(this.deps.measureDiff);
    const run = this.runChain(first, diffs)
      .catch(this.fail)
      .then(() => {
        diffs.drop();
        this.chains.delete(run);
        this.plan.changeSignal.ring();
      });
    this.chains.add(run);
  }

  /** Runs a task, then each next one that was claimed with the end of the one before. */
  private async runChain(first: Claimed, diffs: DiffChain): Promise<void> {
    let next: Claimed | Idle | undefined = first;
    while (next?.kind === 'claimed') {
      if (next !== first && !(await this.admitOrSettle(next))) return;
      // The reservation need not be settled: a stopped worker starts nothing more.
      if (this.isStopped()) return releaseClaim(this.deps, next, this.plan.stop);
      if (await skipIfUnchanged(this.deps, next, this.plan.stop)) {
        this.plan.meter.settle('unused');
        return;
      }
      const ended: Ended | null = await this.runClaimed(next, diffs);
      if (ended !== null) this.counters.count(next.claim.id, ended);
      next = ended?.next;
    }
  }

  /** Returns whether the gate admits the task. If not, its claim is released and its reservation settled. */
  private async admitOrSettle(claimed: Claimed): Promise<boolean> {
    const { meter, stop } = this.plan;
    const isAdmitted = await admitOrRelease(this.deps, claimed, stop);
    if (!isAdmitted) meter.settle('unused');
    return isAdmitted;
  }

  private async runClaimed(claimed: Claimed, diffs: DiffChain): Promise<Ended | null> {
    const { meter, stop, preemptions } = this.plan;
    const reservation = new NextReservation(meter);
    const reserveNext = (): boolean => reservation.ask(this.mayContinue(), this.deps.clock.now());
    const running = preemptions.begin(claimed, reserveNext);
    this.counters.start();
    let ended: Ended | null = null;
    try {
      ended = await runAttempt(this.deps, claimed, stop, { reserveNext, diffs, running });
    } finally {
      preemptions.end(running, claimed, ended !== null);
    }
    meter.settle(ended === null ? 'unused' : 'used');
    if (ended?.next?.kind !== 'claimed') reservation.cancel();
    return ended;
  }

  /**
   * Waits for a change, the end of an attempt, a due time or the next look. Reports the idle reason if no attempt
   * runs.
   */
  private async waitForChange(idle: Idle | null): Promise<void> {
    const { bounds, changeSignal, stop, preemptions } = this.plan;
    const waitDone = new AbortController();
    const ends = [stop, waitDone.signal, ...(bounds.drainSignal === undefined ? [] : [bounds.drainSignal])];
    const signal = AbortSignal.any(ends);
    const now = this.deps.clock.now();
    const reportAt = idle !== null && this.chains.size === 0 ? this.report(idle, now) : Infinity;
    const { lookAgainMs = LOOK_AGAIN_MS } = this.deps;
    const times = [reportAt, idle?.askAgainAt, bounds.until, preemptions.lookAgainAt, now + lookAgainMs];
    const wakeAt = Math.min(...times.map((time) => time ?? Infinity));
    await Promise.race([this.deps.clock.sleep(Math.max(wakeAt - now, 0), signal), changeSignal.next(signal)]);
    waitDone.abort();
    const lateMs = this.deps.clock.now() - Math.max(wakeAt, now);
    if (lateMs > CLOCK_JUMP_MS) this.clockJumpMs = (this.clockJumpMs ?? 0) + lateMs;
  }

  /** Reports an idle reason once. Returns the time at which to try again; `Infinity`: it is reported. */
  private report(idle: Idle, now: EpochMs): EpochMs {
    const name = nameReason(idle.why);
    if (name !== this.idleReason.name) this.idleReason = { name, since: now };
    const reportAt = this.idleReason.since + (idle.why.state === 'unapproved' ? APPROVAL_MS : 0);
    if (now < reportAt) return reportAt;
    if (name !== this.lastReason) this.deps.events.waiting(idle);
    this.lastReason = name;
    return Infinity;
  }
}
