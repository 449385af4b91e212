import type { Definition, EpochMs, TaskId } from './task';
import type { TaskState, TaskView } from './view';

/** Why a dependency is not met; `stuck` when it cannot be any more without a person. */
export interface Unmet {
  readonly id: TaskId;
  readonly why: string;
  readonly stuck: boolean;
}

/** When a repeating dependency must have succeeded at the earliest, as its dependent sees it. */
function freshSince(dependent: TaskView): EpochMs {
  const { definition, state } = dependent;
  if (definition.repeat === undefined) return state.firstSeenAt;
  return state.lastSuccessAt ?? state.firstSeenAt;
}

function isMet(dependency: TaskView, dependent: TaskView): boolean {
  const { definition, state } = dependency;
  if (definition.repeat === undefined) return state.status === 'completed';
  return state.lastSuccessAt !== null && state.lastSuccessAt >= freshSince(dependent);
}

/** Whether a pending task has used up its retries: it is there, but nothing will run it. */
export function isDead(definition: Definition, state: TaskState): boolean {
  return state.status === 'pending' && state.retryCount >= definition.maxRetries;
}

/** The first dependency that is not met, a stuck one before others; null when all are. */
export function findUnmet(
  task: TaskView,
  byId: ReadonlyMap<TaskId, TaskView>,
  invalidIds: ReadonlySet<TaskId>,
): Unmet | null {
  let blocked: Unmet | null = null;
  for (const id of task.definition.dependencies) {
    const unmet = describe(id, task, byId, invalidIds);
    if (unmet?.stuck === true) return unmet;
    blocked ??= unmet;
  }
  return blocked;
}

function describe(
  id: TaskId,
  dependent: TaskView,
  byId: ReadonlyMap<TaskId, TaskView>,
  invalidIds: ReadonlySet<TaskId>,
): Unmet | null {
  const dependency = byId.get(id);
  if (dependency === undefined) {
    return { id, why: invalidIds.has(id) ? 'has a problem' : 'is not there', stuck: true };
  }
  if (isMet(dependency, dependent)) return null;
  const { status } = dependency.state;
  if (dependency.claim !== undefined) return { id, why: 'running', stuck: false };
  if (isDead(dependency.definition, dependency.state)) return { id, why: 'dead', stuck: true };
  return { id, why: status, stuck: status === 'failed' || status === 'cancelled' };
}

/**
 * The cycles among tasks, each as its path from its smallest id back to it (`3 → 7 → 3` is [3, 7, 3]).
 * Every task on a cycle is on exactly one of the returned paths. Iterative: a chain may be 100,000 long.
 */
export function findCycles(dependenciesOf: ReadonlyMap<TaskId, readonly TaskId[]>): TaskId[][] {
  const done = new Set<TaskId>();
  const cycles: TaskId[][] = [];
  const onCycle = new Set<TaskId>();
  for (const start of dependenciesOf.keys()) {
    if (!done.has(start)) searchFrom(start, dependenciesOf, done, (path) => {
      if (path.some((id) => onCycle.has(id))) return;
      path.forEach((id) => onCycle.add(id));
      cycles.push(rotated(path));
    });
  }
  return cycles;
}

function searchFrom(
  start: TaskId,
  dependenciesOf: ReadonlyMap<TaskId, readonly TaskId[]>,
  done: Set<TaskId>,
  found: (path: readonly TaskId[]) => void,
): void {
  const path: TaskId[] = [];
  const positionOf = new Map<TaskId, number>();
  const pending: { id: TaskId; next: Iterator<TaskId> }[] = [];
  const enter = (id: TaskId): void => {
    positionOf.set(id, path.length);
    path.push(id);
    pending.push({ id, next: (dependenciesOf.get(id) ?? []).values() });
  };
  enter(start);
  for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
    const step = top.next.next();
    if (step.done === true) {
      done.add(top.id);
      positionOf.delete(top.id);
      path.pop();
      pending.pop();
      continue;
    }
    const position = positionOf.get(step.value);
    if (position !== undefined) found(path.slice(position));
    else if (!done.has(step.value)) enter(step.value);
  }
}

function rotated(path: readonly TaskId[]): TaskId[] {
  const smallest = path.indexOf(Math.min(...path));
  const ordered = [...path.slice(smallest), ...path.slice(0, smallest)];
  return [...ordered, ...ordered.slice(0, 1)];
}
