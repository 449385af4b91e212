import type { EpochMs } from '../domain/epoch';
import { describeClaim, type Reason } from '../domain/explain';
import { lookAhead } from '../domain/order';
import type { Claim } from '../domain/view';
import type { Snapshot } from '../queue/taskQueue';
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
  const [first, ...others] = snapshot.workers.map(({ owner }) => owner.worker);
  if (first !== undefined) {
    return others.length === 0
      ? `Worker ${first} is at work.`
      : `Workers ${[first, ...others].join(', ')} are at work.`;
  }
  const run = findRun(snapshot);
  return run === null ? NO_WORKER : `No worker is at work, but ${describeClaim(run)}.`;
}

/** A run of a living worker, if there is any. */
export function findRun({ claims }: Snapshot): Claim | null {
  return claims.find(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true) ?? null;
}
