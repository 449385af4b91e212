import assert from 'node:assert/strict';
import { explain } from '../../../src/domain/reasons/explain';
import { createWorld } from '../../../src/domain/reasons/world';
import { findMissed } from '../../../src/domain/time/missedRuns';
import { PRIORITIES, type Priority } from '../../../src/domain/task/priority';
import type { Settings } from '../../../src/domain/settings/settings';
import type { EpochMs } from '../../../src/domain/time/epoch';
import type { TaskId } from '../../../src/domain/task/task';
import type { TaskView } from '../../../src/domain/queue/view';
import type { Claimed, Idle, Snapshot, ClaimRequest } from '../../../src/queue/taskQueue';

/**
 * Returns the next task by the words of the rule, in the plainest way; null: none. Of all ready tasks, tenants take
 * turns: of those never served, the one with the highest class, then the one with the first row. Then come the class
 * that counts now, tasks that are not leftover, stopped tasks, promoted ones, and the place among the rows. Tasks
 * that missed their time, and must leave it out, do not count.
 */
export function nextByRule(queue: Snapshot, request: ClaimRequest, now: EpochMs): TaskId | null {
  const world = createWorld({ ...request, queue, now });
  const since = (task: TaskView): EpochMs => waitsSince(task, world.byId);
  const ready = queue.tasks
    .filter(({ definition }) => request.id === undefined || definition.id === request.id)
    .filter((task) => isMeant(request, task))
    .filter((task) => explain(task, world, request.override).state === 'ready')
    .filter((task) => request.override?.time === true || (findMissed(task, world)?.dueAt ?? now) <= now)
    .map((task) => ({ task, counts: countsAs(task, now - since(task), request.settings) }))
    .filter(({ task, counts }) => isWanted(request, [ownOf(task, request.settings), counts]));
  const keyOf = ({ task, counts }: (typeof ready)[number]): number[] => [
    PRIORITIES.indexOf(counts),
    isLeftover(task, request.settings) ? 1 : 0,
    hasBeenStopped(task) ? 0 : 1,
    counts === ownOf(task, request.settings) ? 1 : 0,
    task.order,
  ];
  const inClass = [...ready].sort((a, b) => compare(keyOf(a), keyOf(b)));
  const turnOf = (user: string): number[] => [
    request.users === undefined || request.users.includes(user) ? 0 : 1,
    queue.turns.get(user) ?? -1,
    ...placeOf(inClass.find(({ task }) => tenantOf(task) === user)),
  ];
  const tenants = [...new Set(inClass.map(({ task }) => tenantOf(task)))];
  const [served] = tenants.sort((a, b) => compare(turnOf(a), turnOf(b)));
  return inClass.find(({ task }) => tenantOf(task) === served)?.task.definition.id ?? null;
}

/** Sort key among tenants that were never served: the highest class goes first, then the first row. */
function placeOf(best: { readonly task: TaskView; readonly counts: Priority } | undefined): number[] {
  return best === undefined ? [] : [PRIORITIES.indexOf(best.counts), best.task.order];
}

/** A claim must give the next by the rule, unless its worker was asked to stop. */
export function checkNext(answer: Claimed | Idle, next: TaskId | null): void {
  if (answer.kind === 'idle' && answer.stop !== undefined) return;
  assert.equal(answer.kind === 'claimed' ? answer.claim.id : null, next, 'not the next by the rule');
}

/** Tenant of a task; '' if its row names none. */
export function tenantOf({ definition }: TaskView): string {
  return definition.user ?? '';
}

function isMeant({ tags, users = [], stealFrom }: ClaimRequest, task: TaskView): boolean {
  const hasTag = tags === undefined || tags.some((tag) => (task.definition.tags ?? []).includes(tag));
  return hasTag && (stealFrom === undefined || [...users, ...stealFrom].includes(tenantOf(task)));
}

function isWanted({ priorities }: ClaimRequest, either: readonly Priority[]): boolean {
  return priorities === undefined || either.some((priority) => priorities.includes(priority));
}

function hasBeenStopped({ state }: TaskView): boolean {
  return ['limit', 'blocked', 'lost', 'stopped', 'interrupted'].includes(state.resume ?? '');
}

function isLeftover({ definition: { tags = [] } }: TaskView, { spareTag }: Settings): boolean {
  return tags.some((tag) => tag === spareTag);
}

function ownOf(task: TaskView, settings: Settings): Priority {
  return isLeftover(task, settings) ? 'low' : task.definition.priority;
}

/** Class in which a task is served after N milliseconds of waiting. */
export function countsAs(task: TaskView, waited: number, settings: Settings): Priority {
  if (isLeftover(task, settings)) return 'low';
  const { priority } = task.definition;
  const { strict, mediumToHigh, lowToMedium, promotedToHigh } = settings;
  if (strict) return priority;
  if (priority === 'medium') return waited >= mediumToHigh ? 'high' : 'medium';
  if (priority !== 'low') return priority;
  if (waited >= lowToMedium + promotedToHigh) return 'high';
  return waited >= lowToMedium ? 'medium' : 'low';
}

/** Start of a task's wait. Retries and limits do not start it again. */
function waitsSince({ definition, state }: TaskView, byId: ReadonlyMap<TaskId, TaskView>): EpochMs {
  const repeats = definition.repeat !== undefined;
  return Math.max(
    definition.createdAt ?? state.firstSeenAt,
    state.ownerScheduledAt ?? 0,
    state.dueCause === 'repeat' ? (state.dueAt ?? 0) : (state.turnAt ?? 0),
    repeats ? (state.lastSuccessAt ?? 0) : 0,
    ...definition.dependencies.map((id) => byId.get(id)?.state.lastSuccessAt ?? 0),
  );
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
