import type { EpochMs } from '../domain/epoch';
import { describeClaim } from '../domain/claimWords';
import type { Reason } from '../domain/explain';
import { lookAhead } from '../domain/order';
import { nameWorker, type Claim } from '../domain/view';
import type { Snapshot, StopHow } from '../queue/taskQueue';
import { describeWait } from './idleWords';
import type { Picture } from './picture';

/** Why nothing runs. */
export type Standstill =
  /** Nobody is there to run anything. */
  | { readonly kind: 'no-worker' }
  /** What is next has to wait; the reason is the one that the waiting worker tells. */
  | { readonly kind: 'waiting'; readonly why: Reason };

/** Why no worker runs anything; null where one does, or is about to. What a person has in hand is no worker's. */
export function findStandstill({ snapshot, world, next }: Picture): Standstill | null {
  if (findRun(snapshot) !== null) return null;
  if (snapshot.workers.length === 0) return { kind: 'no-worker' };
  return next === null ? { kind: 'waiting', why: lookAhead(world).why } : null;
}

/** The same as a sentence. */
export function describeStandstill(standstill: Standstill, now: EpochMs): string {
  return standstill.kind === 'no-worker' ? NO_WORKER : describeWait(standstill.why, now);
}

const NO_WORKER = 'No worker is at work.';

/** Who is at work, as a sentence. A single run is told too: its worker is not enlisted. */
export function describeWorkers(snapshot: Snapshot): string {
  const names = snapshot.workers.map(({ owner }) => nameWorker(owner));
  if (names.length > 0) {
    const who = names.length === 1 ? `Worker ${names.join('')} is` : `Workers ${names.join(', ')} are`;
    return findStop(snapshot) === null ? `${who} at work.` : describeStopping(who, snapshot);
  }
  const run = findRun(snapshot);
  return run === null ? NO_WORKER : `No worker is at work, but ${describeClaim(run)}.`;
}

/** How the workers that are at work were asked to stop; null: one at least goes on, or none is there. */
export function findStop({ stop, workers }: Snapshot): StopHow | null {
  if (stop === null || workers.length === 0) return null;
  return workers.every(({ since }) => stop.at >= since) ? stop.how : null;
}

/** That workers are stopping, and after what; `who` begins the sentence. */
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
export function findRuns({ claims }: Snapshot): readonly Claim[] {
  return claims.filter(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
}
