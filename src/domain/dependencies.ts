import type { EpochMs } from './epoch';
import type { Definition, TaskId } from './task';
import type { TaskState, TaskView } from './view';

/** Why a dependency is not met; `stuck` when it cannot be any more without a person. */
export interface Unmet {
  readonly id: TaskId;
  readonly why: string;
  readonly stuck: boolean;
}

/** Whether a repeating dependency's success at that time counts for its dependent. */
function isFresh(succeededAt: EpochMs, { definition, state }: TaskView): boolean {
  if (definition.repeat === undefined || state.lastSuccessAt === null)
    return succeededAt >= state.firstSeenAt;
  return succeededAt > state.lastSuccessAt;
}

function isMet(dependency: TaskView, dependent: TaskView): boolean {
  const { definition, state } = dependency;
  if (definition.repeat === undefined) return state.status === 'completed';
  return state.lastSuccessAt !== null && isFresh(state.lastSuccessAt, dependent);
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
 * The cycles among tasks, each as its path from its smallest id back to it (`3 → 7 → 3` is [3, 7, 3]). Every task
 * that is on a cycle is on at least one of them. Iterative: a chain may be 100,000 long.
 */
export function findCycles(dependenciesOf: ReadonlyMap<TaskId, readonly TaskId[]>): TaskId[][] {
  const cycles: TaskId[][] = [];
  for (const knot of findKnots(dependenciesOf)) {
    const untold = new Set(knot);
    for (const id of knot) {
      if (!untold.has(id)) continue;
      const path = shortestCycle(id, knot, dependenciesOf);
      path.forEach((member) => untold.delete(member));
      if (path.length > 0) cycles.push(rotated(path));
    }
  }
  return cycles;
}

interface Visit {
  readonly id: TaskId;
  readonly next: Iterator<TaskId>;
  readonly index: number;
  lowest: number;
}

/** Sets of tasks that all depend on each other (strongly connected components, by Tarjan's algorithm); also of one. */
function findKnots(dependenciesOf: ReadonlyMap<TaskId, readonly TaskId[]>): ReadonlySet<TaskId>[] {
  const knots: Set<TaskId>[] = [];
  const indexOf = new Map<TaskId, number>();
  const open: TaskId[] = [];
  const isOpen = new Set<TaskId>();
  const visits: Visit[] = [];
  const enter = (id: TaskId): void => {
    const index = indexOf.size;
    indexOf.set(id, index);
    open.push(id);
    isOpen.add(id);
    visits.push({ id, next: (dependenciesOf.get(id) ?? []).values(), index, lowest: index });
  };
  const leave = (visit: Visit): void => {
    visits.pop();
    const parent = visits.at(-1);
    if (parent !== undefined) parent.lowest = Math.min(parent.lowest, visit.lowest);
    if (visit.lowest !== visit.index) return;
    const knot = open.splice(open.lastIndexOf(visit.id));
    knot.forEach((id) => isOpen.delete(id));
    knots.push(new Set(knot));
  };
  for (const start of dependenciesOf.keys()) {
    if (!indexOf.has(start)) enter(start);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const step = visit.next.next();
      if (step.done === true) leave(visit);
      else if (!indexOf.has(step.value)) enter(step.value);
      else if (isOpen.has(step.value)) visit.lowest = Math.min(visit.lowest, indexOf.get(step.value) ?? 0);
    }
  }
  return knots;
}

/** The shortest way from a task back to itself inside its knot; empty where there is none. */
function shortestCycle(
  start: TaskId,
  knot: ReadonlySet<TaskId>,
  dependenciesOf: ReadonlyMap<TaskId, readonly TaskId[]>,
): TaskId[] {
  const cameFrom = new Map<TaskId, TaskId>();
  const waiting = [start];
  for (const id of waiting) {
    for (const next of dependenciesOf.get(id) ?? []) {
      if (next === start) return wayBack(id, cameFrom);
      if (!knot.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      waiting.push(next);
    }
  }
  return [];
}

/** From where the search began to `end`. */
function wayBack(end: TaskId, cameFrom: ReadonlyMap<TaskId, TaskId>): TaskId[] {
  const path = [end];
  for (let id = cameFrom.get(end); id !== undefined; id = cameFrom.get(id)) path.push(id);
  return path.reverse();
}

function rotated(path: readonly TaskId[]): TaskId[] {
  const smallest = path.reduce((best, id, index) => (id < (path[best] ?? id) ? index : best), 0);
  const ordered = [...path.slice(smallest), ...path.slice(0, smallest)];
  return [...ordered, ...ordered.slice(0, 1)];
}
