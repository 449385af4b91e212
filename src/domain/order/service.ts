import type { Attempt } from '../task/attempt';
import { findUnmet, isImpossible } from '../task/dependencies';
import type { EpochMs } from '../time/epoch';
import type { World } from '../reasons/world';
import { findSkipped } from '../time/missedRuns';
import { waitingSince } from './order';
import type { Priority } from '../task/priority';
import type { Settings } from '../settings/settings';
import { isLeftover } from './leftoverCapacity';
import type { TaskId } from '../task/task';
import type { Claim, TaskView } from '../queue/view';

/** By when a task should have ended, and whether it still can. */
export interface Service {
  readonly by: EpochMs;
  readonly standing: 'in-time' | 'at-risk' | 'violated';
  /** Its row names the time; else it follows from its priority. */
  readonly explicit: boolean;
}

const SERVICE_TIMES = {
  critical: 'serviceCritical',
  high: 'serviceHigh',
  medium: 'serviceMedium',
  low: 'serviceLow',
} as const satisfies Record<Priority, keyof Settings>;

/**
 * How a task that waits or runs is with its service time. Null for one that has ended, and where the time does not
 * run yet: before its owner's time, and, where its row has no deadline, before its dependencies are completed. What is
 * in the spare lane has no service time.
 */
export function serviceOf(task: TaskView, world: World): Service | null {
  if (!isUnderway(task, world)) return null;
  const { now, settings, byId } = world;
  const { deadline } = task.definition;
  if (deadline === undefined && task.claim === undefined && findUnmet(task, world) !== null) return null;
  const by = endBy(task, byId, settings);
  if (by === Infinity) return null;
  const standing = now > by ? 'violated' : now >= by - marginOf(task, settings) ? 'at-risk' : 'in-time';
  return { by, standing, explicit: deadline !== undefined };
}

/** How long before its end a task is at risk: never all of a short service time, in which it has only just started. */
function marginOf({ definition: { deadline, priority } }: TaskView, settings: Settings): number {
  const { atRiskBefore } = settings;
  return deadline === undefined
    ? Math.min(atRiskBefore, settings[SERVICE_TIMES[priority]] / 2)
    : atRiskBefore;
}

function isUnderway(task: TaskView, world: World): boolean {
  const { definition, state, claim } = task;
  if (claim !== undefined) return true;
  if (state.status !== 'pending' || isImpossible(definition, state)) return false;
  const dueAt = state.dueCause === 'repeat' ? (findSkipped(task, world)?.dueAt ?? state.dueAt ?? 0) : 0;
  return Math.max(state.ownerScheduledAt ?? 0, dueAt) <= world.now;
}

function endBy(task: TaskView, byId: World['byId'], settings: Settings): EpochMs {
  const { deadline, priority } = task.definition;
  if (deadline !== undefined) return deadline;
  if (isLeftover(task.definition, settings)) return Infinity;
  return waitingSince(task, byId) + settings[SERVICE_TIMES[priority]];
}

/** What the history keeps of how an attempt's task was served, and for whom. */
export type ServiceFacts = Pick<Attempt, 'user' | 'priority' | 'waitedMs' | 'late' | 'missed'>;

/** What the claim itself tells of that. */
export function describeServed({
  user,
  priority,
  missed,
}: Pick<Claim, 'user' | 'priority' | 'missed'>): ServiceFacts {
  return {
    ...(user === undefined ? {} : { user }),
    ...(priority === undefined ? {} : { priority }),
    ...(missed === undefined ? {} : { missed }),
  };
}

/** How the task of an attempt that has ended was served; `task` is what it was while it ran, where that is known. */
export function describeService(
  claim: Pick<Claim, 'at' | 'user' | 'priority' | 'missed'>,
  task: TaskView | undefined,
  endedAt: EpochMs,
  { byId, settings }: { readonly byId: ReadonlyMap<TaskId, TaskView>; readonly settings: Settings },
): ServiceFacts {
  return {
    ...describeServed(claim),
    ...(task === undefined ? {} : { waitedMs: Math.max(0, claim.at - waitingSince(task, byId)) }),
    ...(task !== undefined && endedAt > endBy(task, byId, settings) ? { late: true } : {}),
  };
}
