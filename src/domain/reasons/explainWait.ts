import type { Override, World } from './world';
import { findQueueObstacles, kindOf } from './explainQueue';
import { findTimeObstacle } from './explainTime';
import { settleUntil } from '../time/missedRuns';
import { reasonOf, type Cause, type Obstacle, type Reason } from './reason';
import type { TaskView } from '../queue/view';

/** Cache of findings by kind of task (priority or leftover, and model), for many tasks of one world. */
export type FoundByKind = Map<string, Found>;

interface Found {
  readonly obstacles: readonly Obstacle[];
  /** Reason for tasks without a time of their own. */
  reason?: Reason | null;
}

/** Returns the obstacles of a task at the time of the world, in the order in which they are shown. */
type Look = (world: World) => readonly Obstacle[];

/** Whether no time and no rule keeps the task from starting now. */
export function isUnhindered(
  task: TaskView,
  world: World,
  override: Override,
  found: FoundByKind | undefined,
): boolean {
  return (
    ownTime(task, world, override) === null && recall(task, world, override, found).obstacles.length === 0
  );
}

/**
 * Returns what keeps a task from starting besides its state: its own time, and the rules of its queue and account.
 * Null: nothing. An obstacle that only the user can remove precedes any time. Otherwise `until` is the earliest start:
 * the first moment without an obstacle, including those that start later, such as quiet hours. It is absent where it
 * cannot be known.
 */
export function explainWait(
  task: TaskView,
  world: World,
  override: Override,
  found: FoundByKind | undefined,
): Reason | null {
  const time = ownTime(task, world, override);
  const known = recall(task, world, override, found);
  const look: Look = (at) => {
    const later = settleUntil(task, world.now, at);
    return withTime(ownTime(later, at, override), queueObstacles(later, at, override));
  };
  // A time that has come is the task's own too: it may be skipped before the task starts, and the next one counts.
  const hasOwnTime = time !== null || task.state.dueAt !== null;
  if (hasOwnTime) return combine(withTime(time, known.obstacles), world, look);
  known.reason ??= combine(known.obstacles, world, look);
  return known.reason;
}

function ownTime(task: TaskView, world: World, override: Override): Obstacle | null {
  return override.time === true ? null : findTimeObstacle(task, world);
}

function queueObstacles(task: TaskView, world: World, override: Override): readonly Obstacle[] {
  // A user who takes a task by hand decides about the rules too.
  return override.unattendedRules === true ? [] : findQueueObstacles(task, world, override);
}

function recall(task: TaskView, world: World, override: Override, found: FoundByKind = new Map()): Found {
  const kind = kindOf(task, world);
  let known = found.get(kind);
  if (known === undefined) {
    known = { obstacles: queueObstacles(task, world, override) };
    found.set(kind, known);
  }
  return known;
}

/** Leaves out the task's own limit where the gate, which knows more of it, is closed for at least as long. */
function withTime(time: Obstacle | null, others: readonly Obstacle[]): readonly Obstacle[] {
  if (time === null) return others;
  const { cause, until = Infinity } = time;
  const isReported = others.some((other) => other.cause.kind === 'gate' && (other.until ?? 0) >= until);
  return cause.kind === 'limit' && isReported ? others : [time, ...others];
}

/** Maximum number of successive waits that are checked: recurring ones may never leave a gap. */
const MOST_STEPS = 32;

function combine(obstacles: readonly Obstacle[], world: World, look: Look): Reason | null {
  const [first] = obstacles;
  if (first === undefined) return null;
  const byUser = obstacles.find(({ waitsFor }) => waitsFor === 'person');
  if (byUser !== undefined) return reasonOf(withStateOf(first, byUser, obstacles));
  const [last, ...more] = stepsFrom(obstacles, world, look).reverse();
  if (last === undefined) return reasonOf(first);
  const all = [...obstacles, last, ...more];
  return {
    ...reasonOf({ ...withStateOf(first, last, all), waitsFor: waitsForOf(all) }),
    causes: causesOf(first, last),
  };
}

/** Returns the obstacle that ends last, with the state of the first one. */
function withStateOf({ state }: Obstacle, last: Obstacle, all: readonly Obstacle[]): Obstacle {
  const { atLimit: _own, ...rest } = last;
  return { ...rest, state, ...(all.every(({ atLimit }) => atLimit === true) ? { atLimit: true } : {}) };
}

function waitsForOf(all: readonly Obstacle[]): Obstacle['waitsFor'] {
  return all.some(({ waitsFor }) => waitsFor === 'schedule') ? 'schedule' : 'machine';
}

function causesOf(first: Obstacle, last: Obstacle): readonly Cause[] {
  const isAlone =
    first.cause.kind === last.cause.kind || (first.until ?? Infinity) >= (last.until ?? Infinity);
  return isAlone ? [last.cause] : [first.cause, last.cause];
}

/**
 * Returns the successive waits: the obstacle that ends last, then the one that remains when it has ended, and so on. If
 * the last one has no known end, neither has the wait.
 */
function stepsFrom(obstacles: readonly Obstacle[], world: World, look: Look): Obstacle[] {
  const steps: Obstacle[] = [];
  let now = obstacles;
  while (steps.length < MOST_STEPS) {
    const last = lastToEnd(now);
    if (last === undefined) return steps;
    steps.push(last);
    if (last.until === undefined) return steps;
    now = look({ ...world, now: last.until });
  }
  return steps.slice(0, 2).map(({ until: _neverFree, ...endless }) => endless);
}

/** Returns the obstacle that ends last. Undefined: every obstacle passes soon, at an unknown moment. */
function lastToEnd(obstacles: readonly Obstacle[]): Obstacle | undefined {
  let last: Obstacle | undefined;
  for (const obstacle of obstacles) {
    if (obstacle.until === undefined && obstacle.waitsFor === 'schedule') return obstacle;
    if (obstacle.until === undefined) continue;
    if (last?.until === undefined || obstacle.until > last.until) last = obstacle;
  }
  return last;
}
