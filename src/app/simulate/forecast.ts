import type { WindowUsage } from '../../domain/gate/gate';
import { WINDOWS } from '../../domain/gate/usageWindows';
import type { ShownState } from '../../domain/reasons/reason';
import type { Attempt } from '../../domain/task/attempt';
import type { Status, TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import { sumUsd } from '../../domain/usd';
import type { ShownReason } from '../present/reasons/reason';
import { atShare } from '../viewModel/attemptStatistics';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import type { NightPlan, SimulatedNight } from './simulatedNight';

/** Values that half, and 80 of 100, of all simulated nights do not exceed; null: fewer nights have one. */
export interface Range {
  readonly p50: number | null;
  readonly p80: number | null;
}

/** Expectation of a task, from all simulated nights. */
export interface TaskForecast {
  readonly id: TaskId;
  readonly prompt: string;
  /** Start of its first attempt; null: it starts in fewer than half of the nights. */
  readonly start: Range | null;
  /** Its completion; null: it is completed in fewer than half of the nights. */
  readonly end: Range | null;
  /** Number of attempts in half of the nights at most. */
  readonly attempts: number;
  /** Share of the nights in which it needs the user at the end, 0 to 1. */
  readonly needsUser: number;
  /** Share of the nights in which it ends after its service time or deadline, or has not ended by then; 0 while times are unknown. */
  readonly late: number;
  /** Deadline in its row. */
  readonly deadline: EpochMs | null;
  /** Whether it is completed, cancelled or failed now: no rule starts it again. */
  readonly hasEnded: boolean;
  /** Reason of its longest wait before its start; of a task that does not start, the last one. As it is now in a forecast of the past. */
  readonly reason: ShownReason;
}

/** Findings in the prompt of a task, and what it lacks on this machine, in sentences. */
export interface PromptFinding {
  readonly id: TaskId;
  readonly text: string;
}

/** A worker that a forecast assumes. */
export interface AssumedWorker {
  readonly from: EpochMs;
  /** Timer that starts it then; null: nobody, it is assumed from now on. */
  readonly timer: string | null;
}

/** Expectation of a queue until a time. */
export interface Forecast {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Number of simulated nights. */
  readonly nights: number;
  /** Number of problems of rows: such rows are not among the tasks. */
  readonly problems: number;
  /** Whether the history has enough attempts to show times. */
  readonly isTimeKnown: boolean;
  /** Whether the history says how much attempts use of the usage windows. If not, no limit is simulated. */
  readonly isUsageKnown: boolean;
  /** Worker that it assumes, since none is running; null: one is. */
  readonly assumedWorker: AssumedWorker | null;
  /** Findings of tasks that start, one for each of them; none in a forecast of the past. */
  readonly reviews: readonly PromptFinding[];
  /** In the order of the queue. */
  readonly tasks: readonly TaskForecast[];
  /** Tasks that start, by the median of their first start. */
  readonly order: readonly TaskId[];
  /** Those that may skip due times as unchanged, but skip none here: their past does not say how often files change. */
  readonly unlessUnchanged: readonly TaskId[];
  /** Those that skip due times as unchanged, as often as in the past. */
  readonly skipsUnchanged: readonly TaskId[];
  /** Sum of the reported costs; null: no attempt reports one. */
  readonly costUsd: Range;
  /** Whether attempts report no cost, as some in the history did: the night costs more. */
  readonly isCostPartial: boolean;
  /** Number of times that a usage limit stops attempts. */
  readonly limits: Range;
  /** Usage limits that come in at least half of the nights, in order. */
  readonly limitTimes: readonly LimitForecast[];
}

/** Expectation of a usage limit. */
export interface LimitForecast {
  readonly window: WindowUsage['window'];
  readonly at: Range;
  /** Reset of the usage window. */
  readonly until: Range;
  /** Tasks that start before it, and after the limit before, in order. */
  readonly before: readonly TaskId[];
}

/** Last end of the tasks that start, in this share of the nights. */
export interface LastEnd {
  readonly at: EpochMs;
  /** False: some end later than the forecast, or not at all. */
  readonly isOfAll: boolean;
}

/** Returns the last end in this share of the nights; null: none is known. */
export function findLastEnd(tasks: readonly TaskForecast[], share: keyof Range): LastEnd | null {
  const started = tasks.filter(({ start }) => start !== null);
  const ends = started.flatMap(({ end }) => end?.[share] ?? []);
  if (ends.length === 0) return null;
  return { at: Math.max(...ends), isOfAll: ends.length === started.length };
}

/** Share of nights from which a risk is worth to be settled before. */
const SETTLE_RISK = 0.3;

/** Whether a task likely needs the user, or is likely late. */
export function isRisky({ needsUser, late }: Pick<TaskForecast, 'needsUser' | 'late'>): boolean {
  return Math.max(needsUser, late) >= SETTLE_RISK;
}

/** A simulated night, and the tasks whose service time or deadline is over at its end. */
export type EndedNight = SimulatedNight & { readonly overdue: ReadonlySet<TaskId> };

/** Facts of a forecast that no night says. */
export type KnownFacts = Pick<
  Forecast,
  'from' | 'until' | 'problems' | 'assumedWorker' | 'isTimeKnown' | 'isUsageKnown'
> &
  Pick<NightPlan, 'unchangedShares'>;

/** Sums up simulated nights of these tasks. Their reasons are those of now. */
export function sumUp(
  shown: readonly TaskViewModel[],
  nights: readonly EndedNight[],
  { unchangedShares = new Map(), ...known }: KnownFacts,
): Forecast {
  const summaries = nights.map(summarize);
  const overdueIn = (id: TaskId): readonly boolean[] => nights.map(({ overdue }) => overdue.has(id));
  const tasks = shown.map((task) => {
    const found = forecastTask(task, summaries, overdueIn(task.task.definition.id));
    return known.isTimeKnown ? found : { ...found, late: 0 };
  });
  const order = orderOf(tasks);
  const asked = listUnlessUnchanged(shown);
  return {
    ...known,
    nights: nights.length,
    tasks,
    order,
    unlessUnchanged: asked.filter((id) => !unchangedShares.has(id) && order.includes(id)),
    skipsUnchanged: asked.filter((id) => unchangedShares.has(id)),
    ...sumCosts(nights),
    limits: rangeOf(nights.map(countLimits)),
    limitTimes: forecastLimits(nights, tasks, order),
    reviews: [],
  };
}

/** A task in one night. */
interface TaskSummary {
  readonly start: EpochMs;
  /** Infinity: it is not completed. */
  readonly end: EpochMs;
  readonly attempts: number;
  readonly needsUser: boolean;
  readonly late: boolean;
}

function summarize({ attempts, end }: SimulatedNight): ReadonlyMap<TaskId, TaskSummary> {
  const statuses = new Map(end.tasks.map(({ definition, state }) => [definition.id, state.status]));
  const byTask = new Map<TaskId, TaskSummary>();
  for (const attempt of attempts) {
    const { id } = attempt;
    byTask.set(id, addAttempt(byTask.get(id), attempt, statuses.get(id)));
  }
  return byTask;
}

function addAttempt(
  before: TaskSummary | undefined,
  { startedAt, endedAt, outcome, late }: Attempt,
  atEnd: Status | undefined,
): TaskSummary {
  return {
    start: before?.start ?? startedAt,
    // A repeating task is completed for the first time.
    end: Math.min(before?.end ?? Infinity, outcome === 'success' ? endedAt : Infinity),
    attempts: (before?.attempts ?? 0) + 1,
    needsUser: atEnd === 'review' || atEnd === 'failed',
    late: late === true || before?.late === true,
  };
}

const ENDED: readonly ShownState[] = ['completed', 'cancelled', 'dead'];

function forecastTask(
  { task, reason }: TaskViewModel,
  nights: readonly ReadonlyMap<TaskId, TaskSummary>[],
  overdue: readonly boolean[],
): TaskForecast {
  const { id, prompt, deadline = null } = task.definition;
  const found = nights.map((night) => night.get(id));
  const start = rangeOf(found.map((task) => task?.start ?? Infinity));
  const end = rangeOf(found.map((task) => task?.end ?? Infinity));
  const share = (has: (task: TaskSummary | undefined, night: number) => boolean): number =>
    found.filter(has).length / Math.max(nights.length, 1);
  return {
    id,
    prompt,
    start: start.p50 === null ? null : start,
    end: end.p50 === null ? null : end,
    attempts: rangeOf(found.map((task) => task?.attempts ?? 0)).p50 ?? 0,
    needsUser: share((task) => task?.needsUser === true),
    deadline,
    hasEnded: ENDED.includes(reason.state),
    late: share((task, night) => task?.late === true || overdue[night] === true),
    reason,
  };
}

function orderOf(tasks: readonly TaskForecast[]): readonly TaskId[] {
  return tasks
    .flatMap(({ id, start }) => (typeof start?.p50 === 'number' ? [{ id, at: start.p50 }] : []))
    .sort((one, other) => one.at - other.at)
    .map(({ id }) => id);
}

function listUnlessUnchanged(shown: readonly TaskViewModel[]): readonly TaskId[] {
  return shown
    .filter(({ task, reason }) => task.definition.unlessUnchanged === true && !ENDED.includes(reason.state))
    .map(({ task }) => task.definition.id);
}

function sumCosts(nights: readonly SimulatedNight[]): Pick<Forecast, 'costUsd' | 'isCostPartial'> {
  const costs = nights.map(({ attempts }) => attempts.map(({ costUsd }) => costUsd));
  const all = costs.flat();
  const isCostPartial = !all.every(isNumber);
  const isUnknown = isCostPartial && !all.some(isNumber);
  // A range shows an infinite sum as unknown.
  const sums = costs.map((night) => (isUnknown ? Infinity : sumUsd(night.filter(isNumber))));
  return { costUsd: rangeOf(sums), isCostPartial };
}

const isNumber = (value: number | undefined): value is number => value !== undefined;

function countLimits({ attempts }: SimulatedNight): number {
  return new Set(attempts.flatMap(({ closedSince }) => closedSince ?? [])).size;
}

/** A usage limit of one night. */
interface NightLimit {
  readonly at: EpochMs;
  readonly until: EpochMs;
}

/** Returns the limits of one usage window in a night, in order. */
function limitsOf({ attempts }: SimulatedNight, window: WindowUsage['window']): readonly NightLimit[] {
  const found = new Map<EpochMs, NightLimit>();
  for (const { reason, closedSince: at, usage = [] } of attempts) {
    const until = usage.find((one) => one.window === window)?.resetAt;
    if (reason === window && at !== undefined && until !== undefined) found.set(at, { at, until });
  }
  return [...found.values()].sort((one, other) => one.at - other.at);
}

/** The first limit of a usage window is compared with the first one of each other night, and so on. */
function forecastLimits(
  nights: readonly SimulatedNight[],
  tasks: readonly TaskForecast[],
  order: readonly TaskId[],
): readonly LimitForecast[] {
  const found = WINDOWS.flatMap((window) => {
    const limits = nights.map((night) => limitsOf(night, window));
    const most = Math.max(0, ...limits.map(({ length }) => length));
    return Array.from({ length: most }, (_, index) => {
      const times = (name: keyof NightLimit): Range =>
        rangeOf(limits.map((night) => night[index]?.[name] ?? Infinity));
      return { window, at: times('at'), until: times('until') };
    });
  });
  const starts = new Map(tasks.map(({ id, start }) => [id, start?.p50 ?? Infinity]));
  let from = -Infinity;
  return found
    .flatMap((limit) => (limit.at.p50 === null ? [] : [{ limit, at: limit.at.p50 }]))
    .sort((one, other) => one.at - other.at)
    .map(({ limit, at }) => {
      const after = from;
      from = at;
      const isBefore = (start: EpochMs): boolean => start >= after && start < at;
      return { ...limit, before: order.filter((id) => isBefore(starts.get(id) ?? Infinity)) };
    });
}

/** Returns the values at half and at 80 of 100; infinite ones count as none. */
function rangeOf(values: readonly number[]): Range {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number | null => {
    const value = atShare(sorted, share) ?? Infinity;
    return value === Infinity ? null : value;
  };
  return { p50: at(0.5), p80: at(0.8) };
}
