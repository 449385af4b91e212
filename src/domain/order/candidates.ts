import type { ResumeCause } from '../task/attempt';
import type { World } from '../reasons/world';
import { comparePriority, PRIORITIES, type Priority } from '../task/priority';
import type { TaskView } from '../queue/view';
import { effectivePriorityOf } from './effectivePriority';
import { isLeftover } from './leftoverCapacity';

/** Causes that end a run without its task's fault. */
const STOPPED: readonly (ResumeCause | null)[] = ['limit', 'blocked', 'lost', 'stopped', 'interrupted'];

/** Whether its last run was cut short without its own fault. Such a task continues first in its class. */
export function isStopped({ state }: TaskView): boolean {
  return STOPPED.includes(state.resume);
}

/** A task with its place in the order at one moment. */
export interface Candidate {
  readonly task: TaskView;
  readonly effective: Priority;
  /** Lowest first; tasks of equal rank go in row order. */
  readonly rank: number;
}

/** Returns the task with its place in the order at the time of the world. */
export function candidateOf(
  task: TaskView,
  { byId, settings, now }: Pick<World, 'byId' | 'settings' | 'now'>,
): Candidate {
  const effective = effectivePriorityOf(task, byId, settings, now);
  const isLast = isLeftover(task.definition, settings);
  const isPromoted = !isLast && effective !== task.definition.priority;
  // Class, leftover tasks last, then stopped tasks, then promoted ones.
  const marks = [isLast, !isStopped(task), !isPromoted];
  const rank = marks.reduce((sum, mark) => 2 * sum + (mark ? 1 : 0), PRIORITIES.indexOf(effective));
  return { task, effective, rank };
}

/** Negative if `a` goes before `b`, where both are of one tenant. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || a.task.order - b.task.order;
}

/** Class and row order: the place of a task among those of tenants of equal rank. */
export interface TenantKey {
  readonly effective: Priority;
  readonly order: number;
}

export function keyOf({ effective, task: { order } }: Candidate): TenantKey {
  return { effective, order };
}

/** Orders tasks of tenants of equal rank: the highest class first, then the one whose row is first. */
export function compareTenants(a: TenantKey, b: TenantKey): number {
  return comparePriority(a.effective, b.effective) || a.order - b.order;
}
