import type { EpochMs } from '../time/epoch';
import type { Status, TaskId } from './task';
import { isInReview, type TaskView } from '../queue/view';

/** An unmet dependency and its reason. `stuck`: only the user can change it. */
export interface Unmet {
  readonly id: TaskId;
  readonly why: Status | 'invalid' | 'missing' | 'dead' | 'stuck';
  readonly stuck: boolean;
}

/** Whether a repeating dependency's success at that time counts for its dependent. */
function isFresh(succeededAt: EpochMs, { definition, state }: TaskView): boolean {
  if (definition.repeat === undefined || state.lastSuccessAt === null)
    return succeededAt >= state.firstSeenAt;
  return succeededAt > state.lastSuccessAt;
}

/** Whether the dependent need not wait for the dependency any more. */
export function isMet(dependency: TaskView, dependent: TaskView): boolean {
  const { definition, state } = dependency;
  if (definition.repeat === undefined) return state.status === 'completed';
  return state.lastSuccessAt !== null && isFresh(state.lastSuccessAt, dependent);
}

/** Whether a pending task has used up its retries, so that nothing will run it. */
function isExhausted({ definition, state }: TaskView): boolean {
  return state.status === 'pending' && state.retryCount >= definition.maxRetries;
}

/** Whether a task is still to run: it is pending, has retries left, and nobody has claimed it. */
export function isToRun(task: TaskView): boolean {
  return task.claim === undefined && task.state.status === 'pending' && !isExhausted(task);
}

/** Returns the pending tasks that depend on a task and need not wait for it any more. */
export function findUnblockedBy(id: TaskId, tasks: readonly TaskView[]): TaskId[] {
  const dependency = tasks.find(({ definition }) => definition.id === id);
  if (dependency === undefined) return [];
  const unblocked = tasks.filter(
    (task) => task.definition.dependencies.includes(id) && isMet(dependency, task) && isToRun(task),
  );
  return unblocked.map(({ definition }) => definition.id);
}

/** Tasks in which dependencies are looked up. Immutable: results are cached as long as the object exists. */
export interface Surroundings {
  readonly byId: ReadonlyMap<TaskId, TaskView>;
  readonly queue: { readonly invalidIds: ReadonlySet<TaskId> };
}

/** Returns the first unmet dependency, a stuck one before others; null: all are met. */
export function findUnmet(task: TaskView, around: Surroundings): Unmet | null {
  let blocked: Unmet | null = null;
  for (const id of task.definition.dependencies) {
    const unmet = describe(id, task, around);
    if (unmet?.stuck === true) return unmet;
    blocked ??= unmet;
  }
  return blocked;
}

function describe(id: TaskId, dependent: TaskView, around: Surroundings): Unmet | null {
  const unmet = describeAlone(id, dependent, around);
  if (unmet === null || unmet.stuck) return unmet;
  const dependency = waitingTask(id, around);
  return dependency !== null && isStuck(dependency, around) ? { id, why: 'stuck', stuck: true } : unmet;
}

/** Returns how the dependency itself is unmet, regardless of its own dependencies; null: it is met. */
function describeAlone(
  id: TaskId,
  dependent: TaskView,
  { byId, queue: { invalidIds } }: Surroundings,
): Unmet | null {
  const dependency = byId.get(id);
  if (dependency === undefined) {
    return { id, why: invalidIds.has(id) ? 'invalid' : 'missing', stuck: true };
  }
  if (isMet(dependency, dependent)) return null;
  const { status } = dependency.state;
  if (dependency.claim !== undefined) return { id, why: 'running', stuck: false };
  if (isExhausted(dependency)) return { id, why: 'dead', stuck: true };
  if (isInReview(dependency.state)) return { id, why: 'review', stuck: false };
  return { id, why: status, stuck: status === 'failed' || status === 'cancelled' };
}

/** Returns the task if it is pending and may itself wait for others; else null. */
function waitingTask(id: TaskId, { byId }: Surroundings): TaskView | null {
  const task = byId.get(id);
  const waits = task?.claim === undefined && task?.state.status === 'pending';
  return waits && task.definition.dependencies.length > 0 ? task : null;
}

/** Cache: whether a task can never start without the user. */
const foundStuck = new WeakMap<Surroundings, Map<TaskId, boolean>>();

interface StuckVisit {
  readonly task: TaskView;
  readonly next: Iterator<TaskId>;
}

/** Whether a direct or indirect dependency of the task is stuck. Iterative; visits each task once. */
function isStuck(start: TaskView, around: Surroundings): boolean {
  const found = foundStuck.get(around) ?? new Map<TaskId, boolean>();
  foundStuck.set(around, found);
  const visits: StuckVisit[] = [];
  const enter = (task: TaskView): void => {
    if (found.has(task.definition.id)) return;
    // Provisional. Among tasks that depend on each other it stays so.
    found.set(task.definition.id, false);
    visits.push({ task, next: task.definition.dependencies.values() });
  };
  enter(start);
  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    const step = visit.next.next();
    if (step.done === true) {
      visits.pop();
      continue;
    }
    const unmet = describeAlone(step.value, visit.task, around);
    const behind = unmet === null || unmet.stuck ? null : waitingTask(step.value, around);
    if (behind !== null) enter(behind);
    if (unmet?.stuck === true || (behind !== null && found.get(step.value) === true))
      markStuck(visits, found);
  }
  return found.get(start.definition.id) === true;
}

/** Marks all visited tasks as stuck: each visit is a dependency of the one before it. */
function markStuck(visits: StuckVisit[], found: Map<TaskId, boolean>): void {
  for (const { task } of visits.splice(0)) found.set(task.definition.id, true);
}

/** Tasks that all depend on each other. */
export interface Tangle {
  /** Cycles among them, at least one. Each is a path from its smallest id back to it (`3 → 7 → 3` is [3, 7, 3]). */
  readonly paths: readonly (readonly TaskId[])[];
  /** Tasks on none of these paths. Each depends on all tasks on the paths, and they on it. */
  readonly others: readonly TaskId[];
}

/** Maximum number of paths to find in one tangle: each search may visit all of its tasks. */
const MOST_PATHS = 16;

/** Returns the tasks that depend on themselves, each in one tangle. Iterative: a chain may be 100,000 long. */
export function findTangles(dependenciesOf: ReadonlyMap<TaskId, readonly TaskId[]>): Tangle[] {
  const tangles: Tangle[] = [];
  for (const knot of findKnots(dependenciesOf)) {
    const untold = new Set(knot);
    const paths: TaskId[][] = [];
    for (const id of knot) {
      if (paths.length === MOST_PATHS) break;
      if (!untold.has(id)) continue;
      const path = shortestCycle(id, knot, dependenciesOf);
      path.forEach((member) => untold.delete(member));
      if (path.length > 0) paths.push(rotated(path));
    }
    if (paths.length > 0) tangles.push({ paths, others: [...untold] });
  }
  return tangles;
}

interface Visit {
  readonly id: TaskId;
  readonly next: Iterator<TaskId>;
  readonly index: number;
  lowest: number;
}

/**
 * Returns the sets of tasks that all depend on each other (strongly connected components, by Tarjan's algorithm). A
 * task alone is a set too.
 */
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

/** Returns the shortest path from a task back to itself within its knot; empty: none. */
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

/** Returns the path from the start of the search to `end`. */
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
