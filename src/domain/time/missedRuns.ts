import type { EpochMs } from './epoch';
import { MOST_COUNTED } from './skippedTimes';
import { passedTimes, timeAfter, type RepeatInterval } from './schedule';
import { findSoonerTime } from './soonerTime';
import type { Settings } from '../settings/settings';
import type { TaskState, TaskView } from '../queue/view';

/** Due times of a repeating task that passed without a run, and how they are handled. */
export interface MissedRuns {
  /** Number of them since the last run. */
  readonly count: number;
  /** Due time of the task now: unchanged, or the first time that is not missed where missed runs are skipped. */
  readonly dueAt: EpochMs;
  /** Number of catch-up runs that follow the run that is due. */
  readonly owedRuns?: number;
  /** Number of these for times of this occurrence; others may be owed from before. */
  readonly caughtUp?: number;
  /** Last of them, where all are skipped. */
  readonly lastAt?: EpochMs;
}

/** Inputs of the decision about missed runs besides the task. */
export interface MissedRules {
  readonly now: EpochMs;
  readonly timeZone: string;
  readonly settings: Pick<Settings, 'missedRuns' | 'missedRunsMax' | 'missedAfter'>;
}

/**
 * Returns what a repeating task missed and has not settled yet. Null: it is on time, or all is settled.
 * Call it for a task that is about to run, and record the result first. The task may not be the next one any more.
 */
export function findMissed(
  { definition: { repeat }, state }: Pick<TaskView, 'definition' | 'state'>,
  { now, timeZone, settings }: MissedRules,
): MissedRuns | null {
  const { dueAt, missed } = state;
  if (repeat === undefined || dueAt === null || state.dueCause !== 'repeat') return null;
  if (now - dueAt <= settings.missedAfter) return null;
  if (settings.missedRuns === 'skip') {
    const passed = countPassed(repeat, dueAt, latestMissed(now, settings), timeZone);
    return { count: (missed ?? 0) + passed.count, dueAt: passed.next, lastAt: passed.lastAt };
  }
  const passed = countPassed(repeat, dueAt, now, timeZone);
  if (missed !== undefined && passed.count <= missed) return null;
  if (settings.missedRuns === 'once') return { count: passed.count, dueAt };
  return { count: passed.count, dueAt, ...countCatchUps(state, passed.count, settings) };
}

/** Returns the latest due time that counts as missed. A later one may still be run, late. */
export function latestMissed(now: EpochMs, { missedAfter }: Pick<Settings, 'missedAfter'>): EpochMs {
  return now - missedAfter - 1;
}

/**
 * Returns the catch-up runs for missed times. The run that is due makes up for one of them. Runs owed from before are
 * still owed.
 */
function countCatchUps(
  { missed, owedRuns: catchUps = 0, caughtUp = 0 }: TaskState,
  passed: number,
  { missedRunsMax }: Pick<Settings, 'missedRunsMax'>,
): Pick<MissedRuns, 'owedRuns' | 'caughtUp'> {
  const owedRuns = Math.min(catchUps + passed - (missed ?? 1), missedRunsMax - 1);
  return { owedRuns, caughtUp: Math.max(0, caughtUp + owedRuns - catchUps) };
}

/**
 * Returns what a repeating task missed and skips, though that is not settled yet. The task is due at the first time
 * that is not missed.
 */
export function findSkipped(
  task: Pick<TaskView, 'definition' | 'state'>,
  rules: MissedRules,
): MissedRuns | null {
  return rules.settings.missedRuns === 'skip' ? findMissed(task, rules) : null;
}

/**
 * Returns the task at a later time, given that workers check the queue meanwhile. Its next time is settled. What it
 * misses until then is skipped as soon as it counts as missed. `from` is the time at which the given state is valid.
 */
export function settleUntil<T extends Pick<TaskView, 'definition' | 'state'>>(
  task: T,
  from: EpochMs,
  rules: MissedRules,
): T {
  const sooner = findSoonerTime(task, { ...rules, now: from });
  let later = sooner === null ? task : { ...task, state: { ...task.state, dueAt: sooner } };
  if (rules.settings.missedRuns !== 'skip') return later;
  let at = from;
  for (let looks = 0; at <= rules.now && looks < MOST_COUNTED; looks += 1) {
    const skipped = findSkipped(later, { ...rules, now: at });
    if (skipped !== null)
      later = { ...later, state: { ...later.state, dueAt: skipped.dueAt, missed: skipped.count } };
    const { dueAt, dueCause } = later.state;
    if (dueAt === null || dueCause !== 'repeat') return later;
    at = Math.max(at, dueAt + rules.settings.missedAfter) + 1;
  }
  return later;
}

/**
 * Returns the number of times from `dueAt` on that have passed, itself included; the last of them; the first that has
 * not.
 */
function countPassed(
  repeat: RepeatInterval,
  dueAt: EpochMs,
  now: EpochMs,
  timeZone: string,
): { readonly count: number; readonly lastAt: EpochMs; readonly next: EpochMs } {
  const { count, at } = passedTimes(repeat, dueAt, now, timeZone);
  const lastAt = count === 0 ? dueAt : at(count - 1);
  const next = repeat.kind === 'every' ? lastAt + repeat.everyMs : timeAfter(repeat, timeZone)(now);
  return { count: repeat.kind === 'every' ? count + 1 : Math.min(count + 1, MOST_COUNTED), lastAt, next };
}
