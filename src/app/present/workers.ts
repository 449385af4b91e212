import { describeClaim } from './reasons/claim';
import { nameWorker, type Claim } from '../../domain/queue/view';
import type { Snapshot, StopHow } from '../../queue/taskQueue';

/** That nobody is there to run anything, as a sentence. */
export const NO_WORKER = 'No worker is running.';

/** Who is running, as a sentence. A single run is told too: its worker is not enlisted. */
export function describeWorkers(snapshot: Snapshot): string {
  const names = snapshot.workers.map(({ owner }) => nameWorker(owner));
  if (names.length > 0) {
    const who = names.length === 1 ? `Worker ${names.join('')} is` : `Workers ${names.join(', ')} are`;
    const what = findStop(snapshot) === null ? `${who} running.` : describeStopping(who, snapshot);
    return isKeptAwake(snapshot) ? `${what} Sleep is prevented.` : what;
  }
  const run = findRun(snapshot);
  return run === null ? NO_WORKER : `No worker is running, but ${describeClaim(run)}.`;
}

function isKeptAwake({ workers }: Snapshot): boolean {
  return workers.some(({ keepsAwake }) => keepsAwake === true);
}

/** How the workers that are running were asked to stop; null: one at least continues, or none is there. */
export function findStop({ stop, workers }: Snapshot): StopHow | null {
  if (stop === null || workers.length === 0) return null;
  return workers.every(({ since }) => stop.at >= since) ? stop.how : null;
}

/** That workers are stopping, and after what; `who` starts the sentence. */
export function describeStopping(who: string, snapshot: Snapshot): string {
  const running = findRuns(snapshot).map(({ id }) => String(id));
  const after = findStop(snapshot) === 'after-task' && running.length > 0;
  return `${who} stopping${after ? ` after task ${running.join(', ')}` : ''}.`;
}

/** A run of a living worker, if there is any. */
export function findRun(snapshot: Snapshot): Claim | null {
  return findRuns(snapshot)[0] ?? null;
}

/** The runs of living workers. */
export function findRuns({ claims }: Pick<Snapshot, 'claims'>): readonly Claim[] {
  return claims.filter(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
}
