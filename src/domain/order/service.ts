import type { Attempt } from '../task/attempt';
import { findUnmet, isToRun } from '../task/dependencies';
import type { EpochMs } from '../time/epoch';
import type { World } from '../reasons/world';
import { settleUntil } from '../time/missedRuns';
import { waitingSince } from './effectivePriority';
import type { Priority } from '../task/priority';
import type { Settings } from '../settings/settings';
import { isLeftover } from './leftoverCapacity';
import type { TaskId } from '../task/task';
import type { Claim, TaskView } from '../queue/view';

/** Service of a task: when it should have ended, and whether it still can. */
export interface Service {
  readonly by: EpochMs;
  readonly standing: 'in-time' | 'at-risk' | 'violated';
  /** Its row names the time; else the time follows from its priority. */
  readonly explicit: boolean;
}

const SERVICE_TIMES = {
  critical: 'serviceCritical',
  high: 'serviceHigh',
  medium: 'serviceMedium',
  low: 'serviceLow',
} as const satisfies Record<Priority, keyof Settings>;

/**
 * Returns how a waiting or running task meets its service time. Null: it has ended, or the time does not run yet. The
 * time does not run before the owner's time. Without a deadline in the row, it does not run before the dependencies are
 * completed either. A leftover task without a deadline has no service time. A due time that is skipped starts none.
 */
export function serviceOf(stored: TaskView, world: World): Service | null {
  const isRepeated = stored.claim === undefined && stored.state.dueCause === 'repeat';
  const task = isRepeated ? settleUntil(stored, world.now, world) : stored;
  const { now, settings, byId } = world;
  if (!isUnderway(task, now)) return null;
  const { deadline } = task.definition;
  if (deadline === undefined && task.claim === undefined && findUnmet(task, world) !== null) return null;
  const by = endBy(task, byId, settings);
  if (by === Infinity) return null;
  const standing = now > by ? 'violated' : now >= by - marginOf(task, settings) ? 'at-risk' : 'in-time';
  return { by, standing, explicit: deadline !== undefined };
}

/**
 * Returns how long before its end a task is at risk: at most half of a service time, so that a task that has just
 * started is not.
 */
function marginOf({ definition: { deadline, priority } }: TaskView, settings: Settings): number {
  const { atRiskBefore } = settings;
  return deadline === undefined
    ? Math.min(atRiskBefore, settings[SERVICE_TIMES[priority]] / 2)
    : atRiskBefore;
}

function isUnderway(task: TaskView, now: EpochMs): boolean {
  const { state, claim } = task;
  if (claim !== undefined) return true;
  if (!isToRun(task)) return false;
  const dueAt = state.dueCause === 'repeat' ? (state.dueAt ?? 0) : 0;
  return Math.max(state.ownerScheduledAt ?? 0, dueAt) <= now;
}

function endBy(task: TaskView, byId: World['byId'], settings: Settings): EpochMs {
  const { deadline, priority } = task.definition;
  if (deadline !== undefined) return deadline;
  if (isLeftover(task.definition, settings)) return Infinity;
  return waitingSince(task, byId) + settings[SERVICE_TIMES[priority]];
}

/** Facts about the service of an attempt's task, as the history keeps them. */
export type ServiceFacts = Pick<
  Attempt,
  'user' | 'priority' | 'promotedFrom' | 'waitedMs' | 'late' | 'missed'
>;

type ClaimedService = Pick<Claim, 'user' | 'priority' | 'promotedFrom' | 'missed'>;

/** Returns the service facts that the claim itself holds. */
export function describeServed({ user, priority, promotedFrom, missed }: ClaimedService): ServiceFacts {
  return {
    ...(user === undefined ? {} : { user }),
    ...(priority === undefined ? {} : { priority }),
    ...(promotedFrom === undefined ? {} : { promotedFrom }),
    ...(missed === undefined ? {} : { missed }),
  };
}

/** Ends of an attempt and of the one at the same task before it; null: it is the first. */
interface Ends {
  readonly endedAt: EpochMs;
  readonly lastEndedAt: EpochMs | null;
}

/**
 * Returns the service facts of an ended attempt. `task` is its task as it was while it ran, where that is known. The task
 * does not wait while an attempt runs, so the wait starts again at the end of the last one.
 */
export function describeService(
  claim: ClaimedService & Pick<Claim, 'at'>,
  task: TaskView | undefined,
  { endedAt, lastEndedAt }: Ends,
  { byId, settings }: { readonly byId: ReadonlyMap<TaskId, TaskView>; readonly settings: Settings },
): ServiceFacts {
  if (task === undefined) return describeServed(claim);
  const since = Math.max(waitingSince(task, byId), lastEndedAt ?? 0);
  return {
    ...describeServed(claim),
    waitedMs: Math.max(0, claim.at - since),
    ...(endedAt > endBy(task, byId, settings) ? { late: true } : {}),
  };
}
