import { describeClaim } from './reasons/claim';
import { nameWorker, type Claim } from '../../domain/queue/view';
import type { Snapshot, StopHow } from '../../queue/taskQueue';

/** Sentence that no worker is running. */
export const NO_WORKER = 'No worker is running.';

/** Describes the running workers, as a sentence. Includes a single run, whose worker is not registered. */
export function describeWorkers(snapshot: Snapshot): string {
  const names = snapshot.workers.map(({ owner }) => nameWorker(owner));
  if (names.length > 0) {
    const who = names.length === 1 ? `Worker ${names.join('')} is` : `Workers ${names.join(', ')} are`;
    const what = findStop(snapshot) === null ? `${who} running.` : describeStopping(who, snapshot);
    return isKeptAwake(snapshot) ? `${what} Sleep is prevented.` : what;
  }
  const run = findRunningClaim(snapshot);
  return run === null ? NO_WORKER : `No worker is running, but ${describeClaim(run)}.`;
}

function isKeptAwake({ workers }: Snapshot): boolean {
  return workers.some(({ keepsAwake }) => keepsAwake === true);
}

/** Returns how all running workers were asked to stop; null if one continues or none is running. */
export function findStop({ stop, workers }: Snapshot): StopHow | null {
  if (stop === null || workers.length === 0) return null;
  return workers.every(({ since }) => stop.at >= since) ? stop.how : null;
}

/** Describes that workers are stopping, and after which task; `who` starts the sentence. */
export function describeStopping(who: string, snapshot: Snapshot): string {
  const running = findRunningClaims(snapshot).map(({ id }) => String(id));
  const after = findStop(snapshot) === 'after-task' && running.length > 0;
  return `${who} stopping${after ? ` after task ${running.join(', ')}` : ''}.`;
}

/** Returns a run of a living worker, if there is any. */
export function findRunningClaim(snapshot: Snapshot): Claim | null {
  return findRunningClaims(snapshot)[0] ?? null;
}

/** Returns the runs of living workers. */
export function findRunningClaims({ claims }: Pick<Snapshot, 'claims'>): readonly Claim[] {
  return claims.filter(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
}
