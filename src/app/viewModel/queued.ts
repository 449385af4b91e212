import { waitingSince } from '../../domain/order/effectivePriority';
import type { Shown } from '../../domain/reasons/reason';
import type { QueueViewModel, TaskViewModel } from './queueViewModel';

/** States of tasks that wait for their start, or for another attempt. */
const QUEUED: readonly Shown[] = [
  'unapproved',
  'ready',
  'scheduled',
  'blocked',
  'stuck',
  'retrying',
  'waiting',
];

/** Whether a task waits to start. */
export function isQueued({ reason }: TaskViewModel): boolean {
  return QUEUED.includes(reason.shown);
}

/** Tasks of one user that wait to start. */
export interface Queued {
  readonly tasks: number;
  /** Longest wait so far among them, in ms; the wait of a task does not start before its time. */
  readonly longestWaitMs: number;
}

/** Returns what waits to start by user; an empty name stands for tasks without a user. */
export function findQueuedByUser({ tasks, world }: QueueViewModel): ReadonlyMap<string, Queued> {
  const byUser = new Map<string, Queued>();
  for (const { task } of tasks.filter(isQueued)) {
    const { user = '' } = task.definition;
    const { tasks: before, longestWaitMs } = byUser.get(user) ?? { tasks: 0, longestWaitMs: 0 };
    const waitMs = world.now - waitingSince(task, world.byId);
    byUser.set(user, { tasks: before + 1, longestWaitMs: Math.max(longestWaitMs, waitMs) });
  }
  return byUser;
}
