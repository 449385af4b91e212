import type { TaskId } from '../../../src/domain/task/task';
import { isSameWorker, type ProcessOwner } from '../../../src/domain/queue/view';
import type { ClaimRequest, Snapshot } from '../../../src/queue/taskQueue';
import { nextByRule } from '../../support/queue/nextByRule';
import type { Kernel } from '../machine/kernel';
import type { SimWorker } from '../play/machine';
import { Violation } from '../play/violation';
import { MACHINE_ID } from '../program/host';
import type { Audit } from './audit';
import { newestBasis, worldOf } from './claimAudit';

/** Time in ms after which a free worker must have started a task that is ready: it looks every 30 s at the latest. */
const LONGEST_IDLE_MS = 90_000;

/** Whether a worker runs that looks at the queue, and is neither stopped nor about to end. */
export function mayNotice({ process, stop }: SimWorker, { state, sources, owner }: Audit): boolean {
  if (stop.signal.aborted || process.frozenUntil > owner.now) return false;
  const isSame = (one: ProcessOwner): boolean => one.process.pid === process.identity.pid;
  const { stopping, workers } = state.queue;
  if (stopping.some(isSame) || !workers.some((one) => isSame(one.owner))) return false;
  return sources.sheets.newest.rows.set.whole;
}

/** Finds workers that are free while a task is ready for them. */
export class IdleAudit {
  /** Running time since which a task has been ready for each worker, by pid. */
  private readonly readySince = new Map<number, number>();

  constructor(private readonly kernel: Kernel) {}

  /** Notes that workers may be delayed from now on. */
  forget(): void {
    this.readySince.clear();
  }

  /** @throws Violation if a worker has been free for too long */
  look(workers: readonly SimWorker[], audit: Audit): void {
    const { now, disk } = this.kernel;
    if (disk.isFull || audit.sources.isDelayed) this.forget();
    for (const worker of workers) {
      const { pid } = worker.process.identity;
      const ready = disk.isFull || audit.sources.isDelayed ? null : this.findReady(worker, audit);
      if (ready === null) {
        this.readySince.delete(pid);
        continue;
      }
      const since = this.readySince.get(pid) ?? now;
      this.readySince.set(pid, since);
      if (now - since > LONGEST_IDLE_MS)
        throw new Violation(
          'carried to its end',
          `task ${String(ready)} is ready, and worker ${String(pid)} has been free for ${String(now - since)} ms`,
        );
    }
  }

  /** Returns the task that this worker should start now; null: none. */
  private findReady({ process, options, stop }: SimWorker, audit: Audit): TaskId | null {
    const { now } = this.kernel;
    if (stop.signal.aborted || process.frozenUntil > now) return null;
    const { queue: state } = audit.state;
    const owner: ProcessOwner = {
      ...({ kind: 'process', worker: String(process.identity.pid) } as const),
      ...{ machine: MACHINE_ID, process: process.identity },
    };
    const isMeant = (one: ProcessOwner): boolean => isSameWorker(one, owner);
    if (state.stopping.some(isMeant) || !state.workers.some((one) => isMeant(one.owner))) return null;
    const runs = audit.claude.runs.filter(({ worker }) => worker === process);
    const running = runs.filter(({ endedAt }) => endedAt === undefined).length;
    if (runs.length >= (options.maxTasks ?? Infinity) || running >= options.slots) return null;
    const wall = Math.floor(this.kernel.wall());
    const basis = newestBasis(audit.sources, wall);
    if (!basis.sheet.rows.set.whole || running >= basis.settings.maxRunning) return null;
    const { queue, ...surroundings } = worldOf(state, wall, basis);
    const request: ClaimRequest = {
      ...surroundings,
      ...(options.priorities === undefined ? {} : { priorities: options.priorities }),
      ...{ owner, since: 0, freshSession: '' },
    };
    return nextByRule(queue as Snapshot, request, wall);
  }
}
