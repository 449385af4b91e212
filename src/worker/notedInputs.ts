import { isDeepStrictEqual } from 'node:util';
import type { ClaimRequest } from '../queue/taskQueue';
import { buildClaimRequest, type WorkerDeps } from './workerDeps';

/**
 * Inputs of decisions that change while a worker asks for no task: it runs as many as it may, or its clock has jumped.
 * Without a change the queue is not asked.
 */
export class NotedInputs {
  private last: Pick<ClaimRequest, 'settings' | 'timeZone' | 'gate'> | null = null;

  /** Records those that have changed since the last look. @throws Problem `settings-invalid` */
  async look(deps: WorkerDeps, asking: Pick<ClaimRequest, 'askingSince' | 'clockJumpMs'>): Promise<void> {
    const request = await buildClaimRequest(deps, asking);
    const { settings, timeZone, gate } = request;
    const now = { settings, timeZone, gate };
    if (asking.clockJumpMs === undefined && isDeepStrictEqual(now, this.last)) return;
    await deps.queue.noteInputs(request, deps.createId());
    this.last = now;
  }
}
