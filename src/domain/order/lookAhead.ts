import type { World } from '../reasons/world';
import type { Cause, Reason } from '../reasons/reason';
import { explainOnce, explainTask, type Explain } from '../reasons/explain';
import { kindOf } from '../reasons/explainQueue';
import { effectivePriority, nextPromotion } from '../task/priority';
import type { EpochMs } from '../time/epoch';
import type { TaskView } from '../queue/view';
import { candidatesFor, isMeantFor, isWanted, type Choice } from './choice';
import { ageingOf, waitingSince } from './effectivePriority';
import { isLeftover, ownPriority } from './leftoverCapacity';

/** State of the whole queue when nothing is ready. */
export interface Outlook {
  /** Earliest time at which a task may become ready by itself; null: not by time alone. */
  readonly askAgainAt: EpochMs | null;
  /** Whether a task waits for something that passes by itself: back-off, limit, budget, another attempt. */
  readonly passesByItself: boolean;
  /** Whether only the account's limits or the budget keep something from running. */
  readonly atLimit: boolean;
  /** Reason to show: that of the task that would have started first. */
  readonly why: Reason;
}

/** Weights of reasons: the one that passes soonest is shown first. */
const WEIGHTS: Record<Reason['waitsFor'], number> = {
  machine: 0,
  schedule: 1,
  person: 2,
  task: 3,
  elsewhere: 4,
  nothing: 5,
};

/** Returns the weight of a reason. The obstacle of a due task is shown before the time of a task that is not due. */
function weightOf({ shown, waitsFor }: Reason): number {
  return shown === 'waiting' && waitsFor !== 'elsewhere' ? -1 : WEIGHTS[waitsFor];
}

/** Whether a reason is shown before another one: by weight, then by the earliest end. */
function isShownBefore(reason: Reason, other: Reason): boolean {
  const [weight, others] = [weightOf(reason), weightOf(other)];
  return weight < others || (weight === others && (reason.until ?? Infinity) < (other.until ?? Infinity));
}

/** Findings about the tasks so far. */
interface Seen {
  askAgainAt: EpochMs;
  passes: boolean;
  isBlocked: boolean;
  othersRun: boolean;
  atLimit: boolean;
  why: Reason;
}

/** Returns why nothing can be chosen now, and when to ask again. `explain` is that of the world and the choice. */
export function lookAhead(
  world: World,
  choice: Choice = {},
  explain: Explain = explainOnce(world, choice.override),
): Outlook {
  const seen: Seen = {
    askAgainAt: Infinity,
    passes: false,
    isBlocked: false,
    othersRun: false,
    atLimit: false,
    why: nothingOf(choice),
  };
  for (const task of decisiveTasks(world, choice)) {
    const reason = explain(task);
    const wantedAt = wantedFrom(task, world, choice);
    seen.askAgainAt = Math.min(seen.askAgainAt, timeToAsk(reason, wantedAt, world.now));
    if (wantedAt <= world.now) see(seen, task, reason);
    else seen.othersRun ||= task.claim?.owner.kind === 'process';
  }
  return {
    askAgainAt: seen.askAgainAt === Infinity ? null : seen.askAgainAt,
    // A task that waits for one that another worker runs may become ready when that one ends.
    passesByItself: seen.passes || (seen.isBlocked && seen.othersRun),
    atLimit: seen.atLimit,
    why: seen.why,
  };
}

/** Yields the tasks to look at: of those that wait for nothing but their owner's time, only the first of each kind. */
function* decisiveTasks(world: World, choice: Choice): Generator<TaskView> {
  const timed = new Map<string, TaskView>();
  for (const task of candidatesFor(world, choice)) {
    if (!isOnlyTimed(task, world, choice)) {
      yield task;
      continue;
    }
    const kind = kindOf(task, world);
    const first = timed.get(kind);
    if (first === undefined || ownersTimeOf(task) < ownersTimeOf(first)) timed.set(kind, task);
  }
  yield* timed.values();
}

/** Whether the claimer takes the task as soon as its owner's time has come, unless its kind is kept from starting. */
function isOnlyTimed(task: TaskView, world: World, choice: Choice): boolean {
  const { definition, state } = task;
  if (ownersTimeOf(task) <= world.now || state.dueAt !== null || definition.repeat !== undefined)
    return false;
  if (choice.override?.time === true || choice.priorities !== undefined || !isMeantFor(choice, task))
    return false;
  return explainTask(task, world, choice.override) === null;
}

function ownersTimeOf({ state }: TaskView): EpochMs {
  return state.ownerScheduledAt ?? -Infinity;
}

/** Adds a task that the claimer would take. */
function see(seen: Seen, task: TaskView, reason: Reason): void {
  seen.passes ||= reason.waitsFor === 'machine' && task.claim?.owner.kind !== 'person';
  seen.isBlocked ||= reason.shown === 'blocked';
  seen.atLimit ||= reason.atLimit === true;
  if (isShownBefore(reason, seen.why)) seen.why = shownReasonOf(task, reason);
}

/** Returns the reason to show: for a running task, its claim. */
function shownReasonOf({ claim }: TaskView, reason: Reason): Reason {
  return claim === undefined ? reason : { ...reason, causes: [{ kind: 'busy', claim }] };
}

function nothingOf({ priorities, tags, users, stealFrom }: Choice): Reason {
  const cause: Cause = {
    kind: 'nothing-left',
    ...(priorities === undefined ? {} : { priorities }),
    ...(tags === undefined ? {} : { tags }),
    ...(stealFrom === undefined ? {} : { users: [...new Set([...(users ?? []), ...stealFrom])] }),
  };
  return { shown: 'completed', causes: [cause], waitsFor: 'nothing' };
}

/**
 * Returns when the claimer takes tasks of this one's class, if the task keeps waiting: now, later, or never (Infinity).
 */
function wantedFrom(task: TaskView, { byId, settings, now }: World, choice: Choice): EpochMs {
  if (!isMeantFor(choice, task)) return Infinity;
  const priority = ownPriority(task.definition, settings);
  if (isWanted(priority, priority, choice)) return now;
  if (isLeftover(task.definition, settings)) return Infinity;
  const ageing = ageingOf(settings);
  const since = waitingSince(task, byId);
  let waited: number | null = now - since;
  while (waited !== null && !isWanted(priority, effectivePriority(priority, waited, ageing), choice)) {
    waited = nextPromotion(priority, waited, ageing);
  }
  return waited === null ? Infinity : since + waited;
}

/** States from which time alone can lead to a start. */
const PASSING: readonly Reason['shown'][] = ['ready', 'waiting', 'scheduled', 'retrying'];

/** Returns the earliest time at which the claimer may get the task by time alone; Infinity: it cannot. */
function timeToAsk({ shown, until = Infinity }: Reason, wantedAt: EpochMs, now: EpochMs): EpochMs {
  if (wantedAt <= now) return until;
  if (!PASSING.includes(shown)) return Infinity;
  return until === Infinity ? wantedAt : Math.max(wantedAt, until);
}
