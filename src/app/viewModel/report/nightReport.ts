import { countInvalidRows } from '../../../domain/problem';
import type { Claim } from '../../../domain/queue/view';
import type { EpochMs } from '../../../domain/time/epoch';
import type { Moment } from '../../../domain/time/moment';
import type { TaskId } from '../../../domain/task/task';
import type { Cause } from '../../../domain/reasons/reason';
import { BY_HAND, type Attempt } from '../../../domain/task/attempt';
import { nameMissingWorker } from '../../present/timers/missingWorkerTexts';
import { describeIdleReason } from '../idleReason';
import { sumOf, type Sums } from '../ledger';
import type { QueueViewModel } from '../queueViewModel';
import { findSkippedTimes, type TaskSkips } from '../taskSkips';
import { readUsageHistory, type UsageHistory } from '../usageHistory';
import type { ForecastAccuracy } from './forecastAccuracy';
import { findGaps, type Gap } from './gaps';
import { findKnownFrom } from './knownFrom';
import { findAccepted, measureAccepted, type Accepted } from './accepted';
import { dependentsIn } from './dependents';
import { measureLimitWait } from './limitWait';
import { orderByRisk, type Need } from './risk';
import { reportTasks, type ReportedTask } from './reportedTask';
import { TASK_ENDS, type CountedEnd } from './taskEnd';

const HOUR_MS = 3_600_000;

/** Default length of the period, in ms. A fixed one cannot hide a night in which nothing ran. */
export const PERIOD_MS = 24 * HOUR_MS;

/** Fact that keeps the whole queue, or rows of it, from running until the user acts. */
export interface Stop {
  readonly kind: 'sign-in' | 'account' | 'settings' | 'paused' | 'reviews' | 'worker' | 'rows';
  readonly text: string;
}

/** A usage limit that was reached. */
export interface ReachedLimit {
  /** Kind of the limit: `five_hour`, `seven_day`. */
  readonly reason: string;
  readonly at: EpochMs;
  /** Next start of an attempt; null: there was none. */
  readonly resumedAt: EpochMs | null;
}

/** An attempt that was stopped so that another task could start. */
export interface MadeWay {
  readonly id: TaskId;
  readonly for: TaskId;
  readonly at: EpochMs;
}

/** Account of a period of a queue: what happened, and what needs the user now. */
export interface NightReport extends Moment {
  readonly from: EpochMs;
  /** End of the period: the time of the report. */
  readonly until: EpochMs;
  /** Everything that stops the queue until the user acts. */
  readonly stops: readonly Stop[];
  /** Tasks that need the user or are worth a look, ordered by risk. */
  readonly needs: readonly Need[];
  readonly tasks: readonly ReportedTask[];
  /** Number of tasks by end. Each task that is counted is in exactly one; ends without a task are left out. */
  readonly ends: readonly { readonly end: CountedEnd; readonly count: number }[];
  /** Sums of the attempts that ended in the period. Each attempt is in exactly one of its outcomes. */
  readonly sums: Sums;
  /** Number of attempts that run, and of those whose worker died. They are in no outcome. */
  readonly unended: { readonly running: number; readonly died: number };
  /** Number of tasks that are over and neither ran nor were accepted in the period. */
  readonly before: number;
  /** Work that the user accepted in the period; null: none. */
  readonly accepted: Accepted | null;
  /** Time from which all attempts are known: those that ended before may be archived. Null: all of the period are known. */
  readonly knownFrom: EpochMs | null;
  /** End of the last attempt before the period; null: none is known. */
  readonly lastBefore: EpochMs | null;
  readonly gaps: readonly Gap[];
  /** Reasons why nothing runs now; empty: something runs. */
  readonly idle: readonly string[];
  readonly limits: readonly ReachedLimit[];
  /** Time without an attempt for which a usage limit is the only recorded cause, in ms. */
  readonly waitedForLimitsMs: number;
  /** Attempts that were stopped for other tasks, oldest first. */
  readonly madeWay: readonly MadeWay[];
  readonly usage: UsageHistory;
  /** Comparison with the forecast; null: nothing has started. */
  readonly forecast: ForecastAccuracy | null;
  readonly skipped: readonly TaskSkips[];
}

/**
 * Composes the account of the time since `from`. `attempts` are all known ones, newest first. An attempt belongs to the
 * period in which it ended. `forecast` is its comparison with the forecast.
 */
export function composeNightReport(
  viewModel: QueueViewModel,
  attempts: readonly Attempt[],
  from: EpochMs,
  forecast: ForecastAccuracy | null = null,
): NightReport {
  const { world, tasks: views } = viewModel;
  const { now: until, timeZone, gate, queue } = world;
  const own = attempts.filter(({ endedAt }) => endedAt >= from);
  const knownFrom = findKnownFrom(world, from);
  const gaps = findGaps(attempts, { from: knownFrom ?? from, until }, world);
  const latest = gate.usage.filter(({ asOf }) => asOf >= from);
  const processes = queue.claims.filter(({ owner }) => owner.kind === 'process');
  const claimed = processes.map(({ id }) => id);
  const tasks = reportTasks(views, own, findAccepted(views, attempts, from), claimed);
  const died = processes.filter(({ ownerDied }) => ownerDied === true).length;
  const earlier = attempts.filter(({ endedAt }) => endedAt < from);
  return {
    now: until,
    timeZone,
    from,
    until,
    stops: findStops(viewModel),
    needs: orderByRisk(tasks, dependentsIn(viewModel)),
    tasks,
    ends: TASK_ENDS.map((end) => ({ end, count: tasks.filter((task) => task.end === end).length })).filter(
      ({ count }) => count > 0,
    ),
    sums: sumOf(own),
    unended: { running: processes.length - died, died },
    accepted: measureAccepted(attempts, from),
    before: views.length - tasks.filter(({ view }) => view !== null).length,
    knownFrom,
    lastBefore: earlier.reduce<EpochMs | null>(
      (last, { endedAt }) => Math.max(last ?? endedAt, endedAt),
      null,
    ),
    gaps,
    idle: describeIdle(viewModel),
    limits: findLimits(own, attempts, processes),
    waitedForLimitsMs: measureLimitWait(gaps, viewModel),
    madeWay: own.flatMap(listMadeWay).reverse(),
    forecast,
    usage: readUsageHistory(own, latest, until),
    skipped: findSkippedTimes(world, attempts, from),
  };
}

function findStops({ account, stops, missingWorkers, snapshot, world }: QueueViewModel): readonly Stop[] {
  const rows = countInvalidRows(snapshot.problems);
  const isOfAccount = account.some(({ needsUser }) => needsUser);
  return [
    ...account
      .filter(({ needsUser }) => needsUser)
      .map(({ kind, title, text }): Stop => {
        return { kind: kind === 'sign-in' ? 'sign-in' : 'account', text: `${title}: ${text}` };
      }),
    ...stops
      .filter(({ waitsFor, causes }) => waitsFor === 'person' && !(isOfAccount && causes[0]?.kind === 'gate'))
      .map(({ text, causes }): Stop => {
        const [cause] = causes;
        return { kind: (cause && STOP_KINDS[cause.kind]) ?? 'paused', text };
      }),
    // In a few words: each report adds the command or the button that starts one.
    ...missingWorkers.found.map((one): Stop => ({ kind: 'worker', text: nameMissingWorker(one, world) })),
    ...(rows === 0 ? [] : [{ kind: 'rows' as const, text: String(rows) }]),
  ];
}

/** Kinds of what stops all tasks, besides pauses, by the kind of its cause. */
const STOP_KINDS: Readonly<Partial<Record<Cause['kind'], Stop['kind']>>> = {
  unreviewed: 'reviews',
  settings: 'settings',
};

function describeIdle({ stops, idleReason, world }: QueueViewModel): readonly string[] {
  if (idleReason === null) return [];
  if (stops.length > 0) return stops.map(({ text }) => text);
  return [describeIdleReason(idleReason, world)];
}

function listMadeWay({ id, note, endedAt: at }: Attempt): readonly MadeWay[] {
  return note?.kind === 'made-way' ? [{ id, for: note.for, at }] : [];
}

/** Returns each closing of the gate for a limit once, oldest first. `claims`: of workers. */
function findLimits(
  own: readonly Attempt[],
  all: readonly Attempt[],
  claims: readonly Claim[],
): readonly ReachedLimit[] {
  const starts = [
    ...all.filter(({ reason }) => reason !== BY_HAND).map(({ startedAt }) => startedAt),
    ...claims.map(({ at }) => at),
  ];
  const byClosing = new Map<string, Attempt>();
  const limited = own.filter(({ outcome }) => outcome === 'limit');
  for (const attempt of limited.sort((one, other) => one.endedAt - other.endedAt)) {
    const key = `${attempt.reason} ${String(attempt.closedSince ?? attempt.endedAt)}`;
    byClosing.set(key, attempt);
  }
  return [...byClosing.values()].map(({ reason, closedSince, endedAt }) => {
    const later = starts.filter((at) => at >= endedAt);
    return {
      reason,
      at: closedSince ?? endedAt,
      resumedAt: later.reduce<EpochMs | null>((first, at) => Math.min(first ?? at, at), null),
    };
  });
}
