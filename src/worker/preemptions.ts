import { findPreemption, nextUrgentAt, type Preemption } from '../domain/order/preemption';
import type { EpochMs } from '../domain/time/epoch';
import type { TaskId } from '../domain/task/task';
import { isSameWorker } from '../domain/queue/view';
import type { Claimed } from '../queue/taskQueue';
import { stopFor } from '../domain/queue/workerStop';
import { RunningAttempt } from './attempt/runningAttempt';
import { lookAtQueue } from './backlog';
import type { WorkerDeps } from './workerDeps';

/**
 * Time that another worker has to stop an attempt and record its end, besides the time that an attempt has to end by
 * itself, in ms.
 */
const OTHERS_MS = 10_000;

/** Time for which no attempt is stopped for a task that did not start when one was, in ms. */
const IN_VAIN_MS = 10 * 60_000;

/** A critical task that waits while others may act for it. */
interface Patience {
  readonly id: TaskId;
  readonly until: EpochMs;
}

/** The running attempts of a worker, and which of them it stops for critical tasks. */
export class Preemptions {
  private readonly running = new Set<RunningAttempt>();
  /** Tasks for which attempts were stopped and that have not run since, with the time until which that counts. */
  private readonly tried = new Map<TaskId, EpochMs>();
  private patience: Patience | null = null;
  /** Time at which the next critical task is due. */
  private dueAt: EpochMs | null = null;

  /** Adds an attempt. `reserve` reserves another one in its place, if the worker may start one. */
  begin({ claim }: Claimed, reserve: () => boolean): RunningAttempt {
    const attempt = new RunningAttempt(claim.mark, reserve);
    this.running.add(attempt);
    return attempt;
  }

  /** Removes an attempt. `wasRecorded`: its task has run. */
  end(attempt: RunningAttempt, { claim }: Claimed, wasRecorded: boolean): void {
    this.running.delete(attempt);
    if (wasRecorded) this.tried.delete(claim.id);
  }

  /** Time at which to look again although nothing has changed; null: none. */
  get lookAgainAt(): EpochMs | null {
    return this.patience?.until ?? this.dueAt;
  }

  /**
   * Stops an attempt if a critical task needs its room: one at a time. `isFull`: the worker runs as many tasks as it may.
   * @throws Problem `settings-invalid`
   */
  async look(deps: WorkerDeps, isFull: () => Promise<boolean>): Promise<void> {
    const found = await this.find(deps, isFull);
    this.patience = found === null ? null : this.waitFor(found, deps);
    if (found === null || this.patience !== null) return;
    const { urgent, stopped } = found;
    const attempt = [...this.running].find(({ mark }) => mark === stopped.mark);
    if (attempt?.makeWayFor(urgent) !== true) return;
    this.tried.set(urgent, deps.clock.now() + IN_VAIN_MS);
    deps.events.line(stopped.id, `Stopping: makes way for ${String(urgent)}.`);
  }

  private async find(deps: WorkerDeps, isFull: () => Promise<boolean>): Promise<Preemption | null> {
    this.dueAt = null;
    const running = [...this.running];
    if (running.every(({ isStoppable }) => !isStoppable)) return null;
    // The task that it makes way for takes its room.
    if (running.some(({ nextId }) => nextId !== undefined)) return null;
    if ((await deps.rules.read()).settings.preempt === 'off') return null;
    const { request, world, queue } = await lookAtQueue(deps);
    // Nothing would start in its place.
    if (stopFor(queue, deps.owner, deps.since) !== undefined) return null;
    this.dueAt = nextUrgentAt(world, request);
    return findPreemption(world, request, {
      stoppable: new Set(running.filter(({ isStoppable }) => isStoppable).map(({ mark }) => mark)),
      isFull: await isFull(),
      hasOthers: queue.workers.some(({ owner }) => !isSameWorker(owner, deps.owner)),
      except: this.exceptions(world.now),
    });
  }

  private exceptions(now: EpochMs): ReadonlySet<TaskId> {
    for (const [id, until] of this.tried) if (now >= until) this.tried.delete(id);
    return new Set(this.tried.keys());
  }

  /** Returns until when others may act first for the task; null: it is this worker's turn. */
  private waitFor({ urgent: id, isLastResort }: Preemption, { clock, rules }: WorkerDeps): Patience | null {
    if (!isLastResort) return null;
    const graceMs = rules.last.settings.stopGrace + OTHERS_MS;
    const patience = this.patience?.id === id ? this.patience : { id, until: clock.now() + graceMs };
    return clock.now() >= patience.until ? null : patience;
  }
}
