import type { Ageing, Priority } from '../task/priority';
import { comparePriority, effectivePriority } from '../task/priority';
import type { Settings } from '../settings/settings';
import type { EpochMs } from '../time/epoch';
import type { Status, TaskId } from '../task/task';
import type { Claim, TaskView } from '../queue/view';
import type { World } from '../reasons/world';
import { isMet } from '../task/dependencies';
import { isLeftover } from './leftoverCapacity';

/** Returns when a task started to wait. Retries and limits do not restart the wait. */
export function waitingSince({ definition, state }: TaskView, byId: ReadonlyMap<TaskId, TaskView>): EpochMs {
  let since = Math.max(
    definition.createdAt ?? state.firstSeenAt,
    state.ownerScheduledAt ?? 0,
    state.dueCause === 'repeat' ? (state.dueAt ?? 0) : 0,
    state.turnAt ?? 0,
    definition.repeat === undefined ? 0 : (state.lastSuccessAt ?? 0),
  );
  for (const id of definition.dependencies) {
    since = Math.max(since, byId.get(id)?.state.lastSuccessAt ?? 0);
  }
  return since;
}

/** Returns the settings by which waiting raises a priority. */
export function ageingOf(settings: Settings): Ageing {
  return {
    strict: settings.strict,
    mediumToHighMs: settings.mediumToHigh,
    lowToMediumMs: settings.lowToMedium,
    promotedToHighMs: settings.promotedToHigh,
  };
}

/**
 * Returns the effective priority of a task, its class: computed at the claim, and kept while it runs. An ended task has
 * its row's own.
 */
export function effectivePriorityOf(
  task: TaskView,
  byId: ReadonlyMap<TaskId, TaskView>,
  settings: Settings,
  now: EpochMs,
): Priority {
  if (isLeftover(task.definition, settings)) return 'low';
  if (task.claim?.priority !== undefined) return task.claim.priority;
  // A blocked task does not wait for its turn yet.
  const waits = !ENDED.includes(task.state.status) && (task.claim !== undefined || !isBlocked(task, byId));
  if (!waits) return task.definition.priority;
  return effectivePriority(task.definition.priority, now - waitingSince(task, byId), ageingOf(settings));
}

function isBlocked(task: TaskView, byId: ReadonlyMap<TaskId, TaskView>): boolean {
  return task.definition.dependencies.some((id) => {
    const dependency = byId.get(id);
    return dependency === undefined || !isMet(dependency, task);
  });
}

/** Returns the priority that a claim at this moment keeps, and the row's own where waiting has raised it. */
export function describeClass(
  task: TaskView,
  { byId, settings, now }: Pick<World, 'byId' | 'settings' | 'now'>,
): Pick<Claim, 'priority' | 'promotedFrom'> {
  const own = task.definition.priority;
  const priority = effectivePriorityOf(task, byId, settings, now);
  return { priority, ...(comparePriority(priority, own) < 0 ? { promotedFrom: own } : {}) };
}

const ENDED: readonly Status[] = ['review', 'completed', 'failed', 'cancelled'];
