import type { EpochMs } from './epoch';
import { MOST_COUNTED, passedTimes, timeAfter, type RepeatInterval } from './schedule';
import type { Settings } from '../settings/settings';
import type { TaskState, TaskView } from '../queue/view';

/** Times of a repeating task that went by without a run, and what becomes of them. */
export interface MissedRuns {
  /** How many there were, since the last run. */
  readonly count: number;
  /** When the task is due now: at once as it was, or at the first time that is not missed where missed runs are skipped. */
  readonly dueAt: EpochMs;
  /** How many runs follow the one that is due, at once, to make up for the others. */
  readonly owedRuns?: number;
  /** How many of these are for times of this turn; others may be owed from before. */
  readonly caughtUp?: number;
  /** Where all are skipped: the last of them. */
  readonly lastAt?: EpochMs;
}

/** What decides about missed runs besides the task. */
export interface MissedRules {
  readonly now: EpochMs;
  readonly timeZone: string;
  readonly settings: Pick<Settings, 'missedRuns' | 'missedRunsMax' | 'missedAfter'>;
}

/**
 * What a repeating task missed that nobody has settled; null where it is on time, or that is settled. Asked of a task
 * that is about to run: the answer is recorded first, and the task may not be the next one any more.
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

/** The latest moment of which a due time counts as missed: a later one may still be run, late. */
export function latestMissed(now: EpochMs, { missedAfter }: Pick<Settings, 'missedAfter'>): EpochMs {
  return now - missedAfter - 1;
}

/** The runs that make up for missed times. The run that is due makes up for one; what was owed before is still owed. */
function countCatchUps(
  { missed, owedRuns: catchUps = 0, caughtUp = 0 }: TaskState,
  passed: number,
  { missedRunsMax }: Pick<Settings, 'missedRunsMax'>,
): Pick<MissedRuns, 'owedRuns' | 'caughtUp'> {
  const owedRuns = Math.min(catchUps + passed - (missed ?? 1), missedRunsMax - 1);
  return { owedRuns, caughtUp: Math.max(0, caughtUp + owedRuns - catchUps) };
}

/** What a repeating task missed that is skipped, though that is not settled yet: it is due at the first time that is not missed. */
export function findSkipped(
  task: Pick<TaskView, 'definition' | 'state'>,
  rules: MissedRules,
): MissedRuns | null {
  return rules.settings.missedRuns === 'skip' ? findMissed(task, rules) : null;
}

/**
 * The task at a later time, where workers look at the queue meanwhile: its next time is settled, and what it misses until
 * then is skipped as soon as it counts as missed. `from` is the time at which it is what it is.
 */
export function settleUntil<T extends Pick<TaskView, 'definition' | 'state'>>(
  task: T,
  from: EpochMs,
  rules: MissedRules,
): T {
  const sooner = findSoonerTurn(task, { ...rules, now: from });
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

/** Within this time every cron expression that people write comes again. */
const CRON_AGAIN_MS = 8 * 24 * 3_600_000;

/**
 * The next time of a repeating task whose stored one cannot be meant: it lies more than two turns ahead, as it does when
 * it was set while the clock was ahead. Null where the stored one is kept.
 */
export function findSoonerTurn(
  { definition: { repeat }, state: { dueAt, dueCause } }: Pick<TaskView, 'definition' | 'state'>,
  { now, timeZone }: Pick<MissedRules, 'now' | 'timeZone'>,
): EpochMs | null {
  if (repeat === undefined || dueAt === null || dueCause !== 'repeat') return null;
  if (repeat.kind === 'every') {
    const turns = Math.ceil((dueAt - now) / repeat.everyMs) - 1;
    return turns < 2 ? null : dueAt - turns * repeat.everyMs;
  }
  if (dueAt - now <= CRON_AGAIN_MS) return null;
  const after = timeAfter(repeat, timeZone);
  const next = after(now);
  return dueAt > after(next) ? next : null;
}

/** How many times from `dueAt` on have gone by, itself among them, the last of them, and the first one that has not. */
function countPassed(
  repeat: RepeatInterval,
  dueAt: EpochMs,
  now: EpochMs,
  timeZone: string,
): { readonly count: number; readonly lastAt: EpochMs; readonly next: EpochMs } {
  const { count, at } = passedTimes(repeat, dueAt, now, timeZone);
  const lastAt = count === 0 ? dueAt : at(count - 1);
  const next = repeat.kind === 'every' ? lastAt + repeat.everyMs : timeAfter(repeat, timeZone)(now);
  return { count: count + 1, lastAt, next };
}
