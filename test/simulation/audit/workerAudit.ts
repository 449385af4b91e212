import type { Kernel } from '../machine/kernel';
import type { SimWorker } from '../play/machine';
import { Violation } from '../play/violation';
import type { Audit } from './audit';

/** Time in ms for which a worker that was asked to stop tries to record an end. */
const LEAST_TRY_MS = 55_000;

/**
 * Checks that a worker that ended by itself has recorded the ends of its runs, and left no claim. `error`: the one with
 * which it failed. @throws Violation
 */
export function checkWorkerEnd(
  { process, stop }: SimWorker,
  error: unknown,
  audit: Audit,
  kernel: Kernel,
): void {
  const name = `worker ${String(process.identity.pid)}`;
  for (const { id, job, worker, verdict, endedAt = kernel.now } of audit.claude.runs) {
    if (worker !== process || verdict === null || audit.ended.has(job.attemptMark)) continue;
    const sinceMs = kernel.now - endedAt;
    if (stop.signal.aborted && sinceMs >= LEAST_TRY_MS) continue;
    throw new Violation(
      'recorded once',
      `${name} ended ${String(Math.round(sinceMs))} ms after its run of task ${String(id)}, and did not record it`,
    );
  }
  if (error !== undefined) return;
  for (const { id, owner } of audit.state.queue.claims.values())
    if (owner.kind === 'process' && owner.process.pid === process.identity.pid)
      throw new Violation(
        'carried to its end',
        `${name} ended, and task ${String(id)} is still claimed by it`,
      );
}
