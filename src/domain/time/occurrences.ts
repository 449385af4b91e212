import type { OccurrenceFacts, SkippedTimes } from './skippedTimes';
import type { Attempt } from '../task/attempt';
import type { EpochMs } from './epoch';
import { pick } from '../pick';
import { explain } from '../reasons/explain';
import type { World } from '../reasons/world';
import type { Reason } from '../reasons/reason';
import { findSkipped, latestMissed } from './missedRuns';
import { pausesOf, splitByPause, type PausedWorld } from './skippedInPause';
import { parseRepeatInterval, passedTimes, timeAfter, type RepeatInterval } from './schedule';
import type { Claim, TaskState, TaskView } from '../queue/view';

/** End of a due time: exactly one of these. */
export type OccurrenceEnd =
  | {
      readonly kind: 'ran' | 'running';
      readonly attempts: readonly number[];
      /** It also ran before, and the history lost that run. */
      readonly again?: true;
    }
  | ({ readonly kind: 'skipped' } & Pick<SkippedTimes, 'why' | 'pause' | 'bound'>)
  | { readonly kind: 'waits'; readonly reason: Reason };

/** A due time of a repeating or scheduled task, or several in a row with the same end. */
export interface Occurrence {
  readonly dueAt: EpochMs;
  /** Last of `count` times; equals `dueAt` where that is 1. */
  readonly lastDueAt: EpochMs;
  readonly count: number;
  readonly end: OccurrenceEnd;
}

/** Returns the time of the occurrence that is due now or next. Null: the task has none, or a catch-up run is due. */
export function occurrenceDueAt({
  definition,
  state,
}: Pick<TaskView, 'definition' | 'state'>): EpochMs | null {
  if (state.catchUp === true) return null;
  if (state.dueCause === 'repeat') return state.dueAt;
  const first = definition.repeat === undefined ? null : state.firstSeenAt;
  return state.turnAt ?? state.ownerScheduledAt ?? first;
}

/** Returns these facts of a claim or an attempt. */
export function occurrenceFactsOf(facts: OccurrenceFacts): OccurrenceFacts {
  return pick(facts, ['dueAt', 'catchUp', 'skipped', 'interval']);
}

/** Returns the facts that a claim at `now` keeps about the occurrence that starts. */
export function describeOccurrence(
  task: Pick<TaskView, 'definition' | 'state'>,
  world: PausedWorld,
): OccurrenceFacts {
  const {
    state,
    definition: { repeat },
  } = task;
  const dueAt = occurrenceDueAt(task);
  const skipped = [...(state.skipped ?? []), ...passedOver(task, world)];
  return {
    ...(dueAt === null ? {} : { dueAt: Math.min(dueAt, world.now) }),
    ...(state.catchUp === true ? { catchUp: true } : {}),
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(repeat === undefined ? {} : { interval: repeat.text }),
  };
}

/** Returns the due time of an occurrence that has not run; null: it has, or the task has none. */
function waitsSince({ dueAt, dueCause, turnAt, turnWaits }: TaskState): EpochMs | null {
  if (dueCause === 'repeat') return dueAt;
  return turnWaits === true ? (turnAt ?? null) : null;
}

/** Returns the times after the due one that also passed before its run started. */
function passedOver(task: Pick<TaskView, 'definition' | 'state'>, world: PausedWorld): SkippedTimes[] {
  const { repeat } = task.definition;
  const { caughtUp = 0 } = task.state;
  const dueAt = waitsSince(task.state);
  if (repeat === undefined || dueAt === null || dueAt >= world.now) return [];
  const passed = passedTimes(repeat, dueAt, world.now, world.timeZone);
  const pauses = pausesOf(task, world);
  return [
    ...splitByPause('caught-up', passed, { first: 0, end: caughtUp }, pauses),
    ...splitByPause('merged', passed, { first: caughtUp, end: passed.count }, pauses),
  ];
}

/** Returns the times of a repeating task that the setting missedRuns skips: the due one, and those after it. */
export function describeSkipped(
  task: Pick<TaskView, 'definition' | 'state'>,
  world: PausedWorld,
): SkippedTimes[] {
  const { repeat } = task.definition;
  const { dueAt, catchUp } = task.state;
  if (repeat === undefined || dueAt === null) return [];
  const { count, at } = passedTimes(repeat, dueAt, latestMissed(world.now, world.settings), world.timeZone);
  const times = { count: count + 1, at: (index: number) => (index === 0 ? dueAt : at(index - 1)) };
  // The due time of a catch-up run has its own record.
  const range = { first: catchUp === true ? 1 : 0, end: times.count };
  return splitByPause('skipped', times, range, pausesOf(task, world));
}

/**
 * Returns the ends of all due times of a task so far, oldest first. `attempts` are all known ones of the task, oldest
 * first. A time at which it was not due, since its row was different then, has none.
 */
export function occurrencesOf(task: TaskView, attempts: readonly Attempt[], world: World): Occurrence[] {
  const { claim } = task;
  const runs = claim === undefined ? attempts : [...attempts, runOf(claim, world.now)];
  const occurrences = groupByOccurrence(runs);
  const found = occurrences.flatMap((occurrence, index) =>
    endsOfOccurrence(occurrence, task, world, index === occurrences.length - 1),
  );
  return [...found, ...ofWaiting(task, occurrences, world)].sort((a, b) => a.dueAt - b.dueAt);
}

type Run = Pick<
  Attempt,
  'number' | 'power' | 'startedAt' | 'endedAt' | 'earlierOutput' | keyof OccurrenceFacts
>;

function runOf(claim: Claim, now: EpochMs): Run {
  return { ...claim, number: claim.attempt, startedAt: claim.at, endedAt: now };
}

/** Runs of one occurrence: the first, and its retries. */
type OccurrenceAttempts = readonly [Run, ...Run[]];

function groupByOccurrence(runs: readonly Run[]): OccurrenceAttempts[] {
  const occurrences: OccurrenceAttempts[] = [];
  for (const run of runs) {
    const last = occurrences.at(-1);
    if (last !== undefined && isSameOccurrence(last[0], run)) occurrences.splice(-1, 1, [...last, run]);
    else occurrences.push([run]);
  }
  return occurrences;
}

function isSameOccurrence(first: Run, { dueAt, catchUp, skipped }: Run): boolean {
  return first.dueAt === dueAt && first.catchUp === catchUp && skipped === undefined;
}

function endsOfOccurrence(
  occurrence: OccurrenceAttempts,
  task: TaskView,
  world: World,
  isLast: boolean,
): Occurrence[] {
  const [first] = occurrence;
  const { dueAt, skipped = [] } = first;
  const kind = isLast && task.claim !== undefined ? 'running' : 'ran';
  const until = isLast && isGoingOn(task, first) ? world.now : (occurrence.at(-1) ?? first).endedAt;
  const isOfOccurrence = first.power === task.state.power && (dueAt !== undefined || first.catchUp === true);
  return [
    ...skipped.map(toOccurrence),
    ...(dueAt === undefined ? [] : [single(dueAt, endOfRuns(kind, occurrence))]),
    ...(isOfOccurrence ? busyTimes(intervalOf(first, task), first.startedAt, until, world) : []),
  ];
}

function endOfRuns(kind: 'ran' | 'running', occurrence: OccurrenceAttempts): OccurrenceEnd {
  const isAgain = occurrence.some(({ earlierOutput }) => earlierOutput !== undefined);
  return { kind, attempts: occurrence.map(({ number }) => number), ...(isAgain ? { again: true } : {}) };
}

/** Whether the last occurrence is still being retried, so that due times pass meanwhile. */
function isGoingOn(task: TaskView, { dueAt }: Run): boolean {
  const { status, dueCause } = task.state;
  return status === 'pending' && dueCause !== 'repeat' && (occurrenceDueAt(task) ?? undefined) === dueAt;
}

/** Returns the interval by which a run was due. The owner may have edited it since. */
function intervalOf({ interval }: Run, { definition: { repeat } }: TaskView): RepeatInterval | undefined {
  if (interval === undefined || interval === repeat?.text) return repeat;
  return parseRepeatInterval(interval) ?? undefined;
}

/**
 * Returns the times of a cron expression that pass while an occurrence is not over. An interval starts over when it is.
 */
function busyTimes(
  repeat: RepeatInterval | undefined,
  after: EpochMs,
  until: EpochMs,
  { timeZone }: World,
): Occurrence[] {
  if (repeat?.kind !== 'cron' || until <= after) return [];
  const first = timeAfter(repeat, timeZone)(after);
  if (first > until) return [];
  const passed = passedTimes(repeat, first, until, timeZone);
  const to = passed.count === 0 ? first : passed.at(passed.count - 1);
  return [toOccurrence({ why: 'busy', from: first, to, count: passed.count + 1 })];
}

function ofWaiting(task: TaskView, occurrences: readonly OccurrenceAttempts[], world: World): Occurrence[] {
  const { state, claim } = task;
  if (claim !== undefined) return [];
  const settled = (state.skipped ?? []).map(toOccurrence);
  const skipped = state.status === 'pending' ? findSkipped(task, world) : null;
  if (skipped !== null) {
    const { dueAt } = skipped;
    const waits =
      dueAt > world.now ? [] : [{ ...dueTimes(task, dueAt, world), end: endOfWaiting(task, world) }];
    return [...settled, ...describeSkipped(task, world).map(toOccurrence), ...waits];
  }
  if (state.catchUp === true) return [...settled, ...timesBehindCatchUp(task, world)];
  const dueAt = occurrenceDueAt(task);
  if (dueAt === null || dueAt > world.now || occurrences.some(([first]) => first.dueAt === dueAt))
    return settled;
  if (state.status !== 'pending') return [...settled, single(dueAt, { kind: 'skipped', why: 'ended' })];
  return [...settled, { ...dueTimes(task, dueAt, world), end: endOfWaiting(task, world) }];
}

/** Returns the times that passed while a catch-up run waits to start. */
function timesBehindCatchUp(task: TaskView, world: World): Occurrence[] {
  const { repeat } = task.definition;
  const dueAt = waitsSince(task.state);
  // Once it has started, they passed during its occurrence.
  if (repeat === undefined || task.state.status !== 'pending' || dueAt === null) return [];
  const { count, at } = passedTimes(repeat, dueAt, world.now, world.timeZone);
  if (count === 0) return [];
  return [{ dueAt: at(0), lastDueAt: at(count - 1), count, end: endOfWaiting(task, world) }];
}

/** Returns the due time, and those after it that also passed. */
function dueTimes(
  { definition: { repeat }, state }: TaskView,
  dueAt: EpochMs,
  { now, timeZone }: World,
): Omit<Occurrence, 'end'> {
  if (repeat === undefined || waitsSince(state) === null) return { dueAt, lastDueAt: dueAt, count: 1 };
  const { count, at } = passedTimes(repeat, dueAt, now, timeZone);
  return { dueAt, lastDueAt: count === 0 ? dueAt : at(count - 1), count: count + 1 };
}

function endOfWaiting(task: TaskView, world: World): OccurrenceEnd {
  return { kind: 'waits', reason: explain(task, world) };
}

function single(dueAt: EpochMs, end: OccurrenceEnd): Occurrence {
  return { dueAt, lastDueAt: dueAt, count: 1, end };
}

function toOccurrence({ from, to, count, ...end }: SkippedTimes): Occurrence {
  return { dueAt: from, lastDueAt: to, count, end: { kind: 'skipped', ...end } };
}
