import type { Moment } from '../../domain/time/moment';
import type { World } from '../../domain/reasons/world';
import { lookAhead } from '../../domain/order/order';
import type { TaskId } from '../../domain/task/task';
import type { Snapshot } from '../../queue/taskQueue';
import { describeWait } from '../present/reasons/idle';
import { showReason, type ShownReason } from '../present/reasons/reason';
import { findRun, NO_WORKER } from '../present/workers';

/** Why nothing runs. */
export type IdleReason =
  /** Nobody is there to run anything. */
  | { readonly kind: 'no-worker' }
  /** What is next has to wait; the reason is the one that the waiting worker tells. */
  | { readonly kind: 'waiting'; readonly why: ShownReason };

/** Why no worker runs anything; null where one does, or is about to. What the user has in hand is no worker's. */
export function findIdleReason(snapshot: Snapshot, world: World, next: TaskId | null): IdleReason | null {
  if (findRun(snapshot) !== null) return null;
  if (snapshot.workers.length === 0) return { kind: 'no-worker' };
  return next === null ? { kind: 'waiting', why: showReason(lookAhead(world).why, world) } : null;
}

/** The same as a sentence. */
export function describeIdleReason(idleReason: IdleReason, moment: Moment): string {
  return idleReason.kind === 'no-worker' ? NO_WORKER : describeWait(idleReason.why, moment);
}
