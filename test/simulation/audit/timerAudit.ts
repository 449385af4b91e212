import { expectedStart, TIMER_GRACE_MS } from '../../../src/domain/queue/missingWorker';
import type { Notice } from '../../../src/domain/queue/notices';
import type { IsAlive } from '../../../src/domain/gate/probe';
import type { Kernel } from '../machine/kernel';
import { Violation } from '../play/violation';
import type { Audit } from './audit';

/** Time in ms after which a living worker must have raised the notice of a late timer. */
const LONGEST_UNNOTICED_MS = 90_000;
/** Time in ms that a worker of the timer takes to record its start. */
const START_MS = 10_000;

/** Checks the notices of a timer that starts no worker, by the starts that there really were. */
export class TimerAudit {
  /** Expected starts for which a notice was raised. */
  private readonly raised = new Set<number>();
  private lateSince: number | null = null;

  constructor(
    private readonly kernel: Kernel,
    private readonly isAlive: IsAlive,
    private readonly startsOf: () => readonly number[],
  ) {}

  /** Notes notices that are raised. @throws Violation if one is of a timer that was on time */
  noteRaised(notices: readonly Notice[], { owner, sources }: Audit): void {
    for (const notice of notices) {
      if (notice.kind !== 'timer-late') continue;
      const { expectedAt } = notice;
      this.raised.add(expectedAt);
      if (sources.isDelayed || this.kernel.disk.isFull || owner.hasSteppedSince(expectedAt)) continue;
      const before = this.kernel.wall() - START_MS;
      if (
        this.startsOf().some((at) => at >= expectedAt && at < Math.min(before, expectedAt + TIMER_GRACE_MS))
      )
        throw new Violation('late timers noticed', 'a timer that was on time is reported as late');
    }
  }

  /** `isWatched`: a worker could notice. @throws Violation if a timer has been late for long, and no notice was raised */
  look(isWatched: boolean, { state, owner }: Audit): void {
    const { timer, workers } = state.queue;
    const expectedAt = timer === null ? null : expectedStart(timer, 'UTC');
    const isTimed = workers.some((one) => one.byTimer === true && this.isAlive(one.owner.process));
    const isLate = expectedAt !== null && this.kernel.wall() - expectedAt > TIMER_GRACE_MS;
    if (!isWatched || !isLate || isTimed || owner.hasSteppedSince(expectedAt)) {
      this.lateSince = null;
      return;
    }
    const { now } = this.kernel;
    this.lateSince ??= now;
    if (now - this.lateSince > LONGEST_UNNOTICED_MS && !this.raised.has(expectedAt))
      throw new Violation('late timers noticed', `a timer started nothing at ${String(expectedAt)}`);
  }
}
