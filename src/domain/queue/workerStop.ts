import { isSameWorker, type LivingWorker, type Owner, type ProcessOwner } from './view';
import type { EpochMs } from '../time/epoch';

/** Way to stop. `after-task`: running attempts finish. `now`: they end and are resumed later. */
export type StopHow = 'after-task' | 'now';

/** Stop request. Applies to every worker that is registered when it is made. */
export interface StopRequest {
  readonly how: StopHow;
  readonly at: EpochMs;
}

/** The workers of a queue, and which of them are to stop. */
export interface Stopping {
  /** Newest request to stop workers, if any. */
  readonly stop: StopRequest | null;
  /** Registered workers that it means. */
  readonly stopping: readonly ProcessOwner[];
  /** Living registered workers, in order of registration. */
  readonly workers: readonly LivingWorker[];
}

/**
 * Returns how this owner is to stop; undefined: it is not. `since` is when it started. That decides only for an owner
 * that is not registered: a clock may be set, so times do not show whom the request meant.
 */
export function stopFor(
  { stop, stopping, workers }: Stopping,
  owner: Owner,
  since: EpochMs,
): StopHow | undefined {
  if (stop === null) return undefined;
  const isOwner = (one: ProcessOwner): boolean => owner.kind === 'process' && isSameWorker(one, owner);
  const isRegistered = workers.some((worker) => isOwner(worker.owner));
  const isMeant = isRegistered ? stopping.some(isOwner) : stop.at >= since;
  return isMeant ? stop.how : undefined;
}
