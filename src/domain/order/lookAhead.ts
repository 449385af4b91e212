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
  /** Whether a task is kept from running by nothing but the account's limits or the budget. */
  readonly atLimit: boolean;
  /** Reason to show: that of the task that would have started first. */
  readonly why: Reason;
}

/** Ranks of reasons by what they wait for: the lowest, which passes soonest, is shown first. */
const RANKS: Record<Reason['waitsFor'], number> = {
  machine: 0,
  schedule: 1,
  person: 2,
  task: 3,
  elsewhere: 4,
  nothing: 5,
};

/**
 * Returns the rank of a reason. The obstacle of a due task is shown before the time of a task that is not due, be it a
 * retry or its schedule, and what stops the queue until the user acts before a task that has ended or may not run.
 */
function rankOf({ state, waitsFor }: Reason): number {
  if (state === 'waiting' && waitsFor !== 'elsewhere') return -1;
  if (state === 'retrying') return RANKS.schedule;
  return waitsFor === 'person' && STARTING_BY_TIME.includes(state) ? RANKS.schedule : RANKS[waitsFor];
}

/** Whether a reason is shown before another one: by rank, then by the earliest end. */
function isShownBefore(reason: Reason, other: Reason): boolean {
  const [rank, others] = [rankOf(reason), rankOf(other)];
  return rank < others || (rank === others && (reason.until ?? Infinity) < (other.until ?? Infinity));
}

/** Findings about the tasks so far. */
interface Seen {
  askAgainAt: EpochMs;
  passes: boolean;
  waitsForTask: boolean;
  unwantedRuns: boolean;
  atLimit: boolean;
  why: Reason;
}

/**
 * Returns why nothing can be chosen now, and when to ask again, for the claimer that `choice` describes.
 * @param explain one that already knows the reasons of this world under this choice, if there is one.
 */
export function lookAhead(
  world: World,
  choice: Choice = {},
  explain: Explain = explainOnce(world, choice.override),
): Outlook {
  const seen: Seen = {
    askAgainAt: Infinity,
    passes: false,
    waitsForTask: false,
    unwantedRuns: false,
    atLimit: false,
    why: nothingLeftFor(choice),
  };
  for (const task of decisiveTasks(world, choice)) {
    const reason = explain(task);
    const wantedAt = wantedFrom(task, world, choice);
    seen.askAgainAt = Math.min(seen.askAgainAt, timeToAsk(reason, wantedAt, world.now));
    if (wantedAt <= world.now) addWanted(seen, task, reason);
    // `passesByItself` needs it: a wanted task may wait for this one.
    else seen.unwantedRuns ||= task.claim?.owner.kind === 'process';
  }
  return {
    askAgainAt: seen.askAgainAt === Infinity ? null : seen.askAgainAt,
    passesByItself: seen.passes || (seen.waitsForTask && seen.unwantedRuns),
    atLimit: seen.atLimit,
    why: seen.why,
  };
}

/** Yields the tasks to look at: of those that wait for nothing but the user's own time, only the first of each kind (`kindOf`). */
function* decisiveTasks(world: World, choice: Choice): Generator<TaskView> {
  const timed = new Map<string, TaskView>();
  for (const task of candidatesFor(world, choice)) {
    if (!isOnlyTimed(task, world, choice)) {
      yield task;
      continue;
    }
    const kind = kindOf(task, world);
    const first = timed.get(kind);
    if (first === undefined || userTimeOf(task) < userTimeOf(first)) timed.set(kind, task);
  }
  yield* timed.values();
}

/** Whether the claimer takes the task as soon as the user's own time has come, unless its kind is kept from starting. */
function isOnlyTimed(task: TaskView, world: World, choice: Choice): boolean {
  const { definition, state } = task;
  if (userTimeOf(task) <= world.now || state.dueAt !== null || definition.repeat !== undefined) return false;
  if (choice.override?.time === true || choice.priorities !== undefined || !isMeantFor(choice, task))
    return false;
  return explainTask(task, world, choice.override) === null;
}

function userTimeOf({ state }: TaskView): EpochMs {
  return state.ownerScheduledAt ?? -Infinity;
}

/** Adds a task that the claimer would take if it were ready. */
function addWanted(seen: Seen, task: TaskView, reason: Reason): void {
  seen.passes ||= reason.waitsFor === 'machine' && task.claim?.owner.kind !== 'person';
  seen.waitsForTask ||= reason.state === 'blocked';
  seen.atLimit ||= reason.atLimit === true;
  if (isShownBefore(reason, seen.why)) seen.why = shownReasonOf(task, reason);
}

/** Returns the reason to show: for a running task, its claim. */
function shownReasonOf({ claim }: TaskView, reason: Reason): Reason {
  return claim === undefined ? reason : { ...reason, causes: [{ kind: 'busy', claim }] };
}

function nothingLeftFor({ priorities, tags, users, stealFrom }: Choice): Reason {
  const cause: Cause = {
    kind: 'nothing-left',
    ...(priorities === undefined ? {} : { priorities }),
    ...(tags === undefined ? {} : { tags }),
    ...(stealFrom === undefined ? {} : { users: [...new Set([...(users ?? []), ...stealFrom])] }),
  };
  return { state: 'completed', causes: [cause], waitsFor: 'nothing' };
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
const STARTING_BY_TIME: readonly Reason['state'][] = ['ready', 'waiting', 'scheduled', 'retrying'];

/** Returns the earliest time at which the claimer may get the task by time alone; Infinity: it cannot. */
function timeToAsk({ state, until = Infinity }: Reason, wantedAt: EpochMs, now: EpochMs): EpochMs {
  if (wantedAt <= now) return until;
  if (!STARTING_BY_TIME.includes(state)) return Infinity;
  return until === Infinity ? wantedAt : Math.max(wantedAt, until);
}
