import type { Moment } from '../../domain/time/moment';
import type { Explain } from '../../domain/reasons/explain';
import type { World } from '../../domain/reasons/world';
import { lookAhead } from '../../domain/order/lookAhead';
import type { TaskId } from '../../domain/task/task';
import type { Snapshot } from '../../queue/taskQueue';
import { describeWait } from '../present/reasons/idle';
import { showReason, type ShownReason } from '../present/reasons/reason';
import { findRunningClaim, NO_WORKER } from '../present/workers';

/** Reason why nothing runs. */
export type IdleReason =
  /** No worker is running. */
  | { readonly kind: 'no-worker' }
  /** The next task has to wait; the waiting worker shows the same reason. */
  | { readonly kind: 'waiting'; readonly why: ShownReason };

/** Returns why no worker runs a task; null if one does or is about to. Tasks that the user has do not count. */
export function findIdleReason(
  snapshot: Snapshot,
  world: World,
  next: TaskId | null,
  explain: Explain,
): IdleReason | null {
  if (findRunningClaim(snapshot) !== null) return null;
  if (snapshot.workers.length === 0) return { kind: 'no-worker' };
  return next === null
    ? { kind: 'waiting', why: showReason(lookAhead(world, {}, explain).why, world) }
    : null;
}

/** Describes an idle reason as a sentence. */
export function describeIdleReason(idleReason: IdleReason, moment: Moment): string {
  return idleReason.kind === 'no-worker' ? NO_WORKER : describeWait(idleReason.why, moment);
}
