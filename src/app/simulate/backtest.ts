import { OPEN_GATE, type GateView, type WindowUsage } from '../../domain/gate/gate';
import { groupBy } from '../../domain/lists';
import { waitingSince } from '../../domain/order/effectivePriority';
import type { TaskView } from '../../domain/queue/view';
import { findSpending } from '../../domain/queue/nightBudget';
import { approvable, approvalOf } from '../../domain/task/approval';
import { BY_HAND, type Attempt } from '../../domain/task/attempt';
import { BY_SCRIPTS } from '../../domain/task/scriptsHistory';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { atShare } from '../viewModel/attemptStatistics';
import type { Held } from '../viewModel/report/forecastAccuracy';
import { peekViewModel, type QueueViewModel, type TaskViewModel } from '../viewModel/queueViewModel';
import { sumUp, type Forecast, type Range } from './forecast';
import { PastAttempts } from './pastAttempts';
import { approveWithoutChecks, withoutCheck } from './rowsWithoutChecks';
import type { SimulationOptions } from './simulate';
import { simulateNight, type NightPlan, type SimulatedNight } from './simulatedNight';

/** Forecasts of starts and ends that held. */
interface HeldTimes {
  readonly start: Held;
  readonly end: Held;
}

/** A past night: from noon to noon by the queue's clock. */
export interface BacktestNight extends HeldTimes {
  /** False: fewer than ten attempts had ended before, so there was no forecast. */
  readonly isKnown: boolean;
  /** Start of its first attempt. */
  readonly from: EpochMs;
  /** Number of its tasks that were there from its start on. */
  readonly tasks: number;
}

/** A task over all nights. */
export interface BacktestTask extends HeldTimes {
  readonly id: TaskId;
  readonly prompt: string;
}

/** Comparison of past nights with the forecasts that the history before each of them gives. */
export interface Backtest extends HeldTimes {
  /** Oldest first. */
  readonly nights: readonly BacktestNight[];
  readonly tasks: readonly BacktestTask[];
  /** Number of tasks of nights that no forecast is for: their row is gone, or came or was due after the night's start. */
  readonly leftOut: number;
}

/** Workers of past nights. */
type PastWorkers = Required<Pick<SimulationOptions, 'workers'>>;

/** Most nights that are compared; the newest count. */
const MOST_NIGHTS = 30;
/** Tolerance for the time between two attempts: forecasts are shown to the minute. */
const SAME_MINUTE_MS = 60_000;

/**
 * Forecasts each past night from the history before it, with the rows, settings and workers of now, and compares it with
 * what happened. `nights`: simulations of each; absent: 20. Runs nothing and changes nothing.
 */
export async function backtest(
  context: QueueContext,
  queue: TaskQueue,
  { workers, nights = 20 }: PastWorkers & Pick<SimulationOptions, 'nights'>,
): Promise<Backtest> {
  const viewModel = await peekViewModel(context, queue);
  const past = findPastNights(viewModel, await queue.attempts({}));
  return compareNights({ context, queue, viewModel }, past, { workers, times: nights });
}

/** Past nights, with the attempts that forecasts of them are made from. */
export interface PastNights {
  /** Oldest first. */
  readonly nights: readonly PastNight[];
  /** Attempts of workers, oldest first. */
  readonly attempts: readonly Attempt[];
}

/** Returns the nights of these attempts; with `since`, of those that started from then on. */
export function findPastNights(
  viewModel: QueueViewModel,
  attempts: readonly Attempt[],
  since = -Infinity,
): PastNights {
  const own = attempts.filter(({ reason }) => reason !== BY_HAND && reason !== BY_SCRIPTS);
  const oldestFirst = own.toSorted((one, other) => one.startedAt - other.startedAt);
  const later = oldestFirst.filter(({ startedAt }) => startedAt >= since);
  const nights = groupByNight(later, viewModel.world.timeZone).slice(-MOST_NIGHTS);
  return {
    nights: nights.map((night) => ({ ...night, chosen: chooseTasks(night, viewModel) })),
    attempts: oldestFirst,
  };
}

/** A queue as it is now. */
export interface ComparedQueue {
  readonly context: QueueContext;
  readonly queue: TaskQueue;
  readonly viewModel: QueueViewModel;
}

/** Compares past nights with their forecasts. `times`: simulations of each. */
export async function compareNights(
  { context, queue, viewModel }: ComparedQueue,
  { nights, attempts }: PastNights,
  { workers, times }: PastWorkers & { readonly times: number },
): Promise<Backtest> {
  const compared = [];
  for (const night of nights) {
    const before = attempts.filter(({ endedAt }) => endedAt <= night.from);
    const known = new PastAttempts(before);
    if (!known.isEnough || night.chosen.size === 0) {
      compared.push({ night, forecast: null });
      continue;
    }
    const plan = await planPast(context, queue, viewModel, { ...night, before, workers });
    compared.push({ night, forecast: await forecastPast(plan, viewModel, known, night.chosen, times) });
  }
  return compare(compared, viewModel);
}

/** A past night with its attempts. */
interface PastNight {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** Tasks that waited when it started, with their first attempts; null: it has not started since. */
  readonly chosen: ReadonlyMap<TaskId, Attempt | null>;
}

function groupByNight(
  oldestFirst: readonly Attempt[],
  timeZone: string,
): readonly Omit<PastNight, 'chosen'>[] {
  const byEnd = groupBy(oldestFirst, ({ startedAt }) => findSpending([], startedAt, timeZone).until);
  return [...byEnd].map(([until, attempts]) => ({ from: attempts[0].startedAt, until, attempts }));
}

/** Returns the tasks that waited when the night started: those that started in it, and those that still wait. */
function chooseTasks(
  { from, attempts }: Omit<PastNight, 'chosen'>,
  { world, tasks }: QueueViewModel,
): PastNight['chosen'] {
  const first = new Map<TaskId, Attempt>();
  for (const attempt of attempts) if (!first.has(attempt.id)) first.set(attempt.id, attempt);
  const isThere = ({ id, startedAt, waitedMs }: Attempt): boolean => {
    const task = world.byId.get(id);
    if (task === undefined) return false;
    return waitedMs === undefined || startedAt - waitedMs <= from + SAME_MINUTE_MS || wasBlocked(task, from);
  };
  const isWaiting = ({ task, reason }: TaskViewModel): boolean =>
    task.claim === undefined &&
    task.state.status === 'pending' &&
    reason.state !== 'unapproved' &&
    waitingSince(task, world.byId) <= from + SAME_MINUTE_MS;
  const waiting = tasks.filter(isWaiting).map(({ task }) => task.definition.id);
  return new Map<TaskId, Attempt | null>([
    ...[...first].filter(([, attempt]) => isThere(attempt)),
    ...waiting.filter((id) => !first.has(id)).map((id) => [id, null] as const),
  ]);
}

/** Whether a task was there at this time, and waited for others only. */
function wasBlocked({ definition, state }: TaskView, at: EpochMs): boolean {
  const { dependencies, repeat, createdAt = state.firstSeenAt } = definition;
  const dueAt = Math.max(createdAt, state.ownerScheduledAt ?? 0);
  return dependencies.length > 0 && repeat === undefined && dueAt <= at + SAME_MINUTE_MS;
}

interface PastPlan extends Pick<PastNight, 'from' | 'until' | 'chosen'>, PastWorkers {
  readonly before: readonly Attempt[];
}

/** Returns the night as it started: its tasks wait, and nothing runs. */
async function planPast(
  context: QueueContext,
  queue: TaskQueue,
  { snapshot, world }: QueueViewModel,
  { from, until, chosen, before, workers }: PastPlan,
): Promise<NightPlan> {
  const copy = await queue.copy({ now: () => from }, withoutCheck);
  for (const claim of snapshot.claims) await copy.release(claim, 'stopped', `release-${String(claim.token)}`);
  for (const [id, first] of chosen) {
    if (first !== null) await copy.command(id, 'retry', `retry-${String(id)}`);
  }
  await copy.resume('resume');
  const { settings, timeZone } = world;
  const tasks = snapshot.tasks.filter(({ definition }) => chosen.has(definition.id));
  const approvals = tasks.map(({ definition, state }) => approvalOf(approvable(definition, state.power)));
  return {
    copyQueue: (clock) => copy.copy(clock, (definition) => definition),
    // Other rows that wait now came later: they must not start.
    approvedRows: approveWithoutChecks(snapshot.tasks, { trusted: false, approvals: new Set(approvals) }),
    // The starts of this night and of the next ones are in the copy: they must not count.
    rules: {
      settings: { ...settings, maxPerHour: Infinity, maxPerDay: Infinity, nightBudget: 0, maxUnreviewed: 0 },
      timeZone,
    },
    gate: gateBefore(before),
    workers: workers.map((worker) => ({ ...worker, running: [] })),
    paths: context.paths,
    machine: context.machine.id,
    from,
    until,
  };
}

/** Returns an open gate with the last reports on the usage windows. */
function gateBefore(before: readonly Attempt[]): GateView {
  const last = new Map<WindowUsage['window'], GateView['usage'][number]>();
  for (const { usage = [], endedAt } of before)
    for (const report of usage) last.set(report.window, { ...report, asOf: endedAt });
  return { ...OPEN_GATE, usage: [...last.values()] };
}

async function forecastPast(
  plan: NightPlan,
  { tasks, world }: QueueViewModel,
  known: PastAttempts,
  chosen: PastNight['chosen'],
  times: number,
): Promise<Forecast> {
  const fingerprintOf = (id: TaskId): string =>
    chosen.get(id)?.power ?? world.byId.get(id)?.state.power ?? '';
  const nights: SimulatedNight[] = [];
  for (let seed = 1; seed <= times; seed++) {
    const night = await simulateNight(
      plan,
      seed,
      (random) =>
        ({ definition: { id }, timeoutMs }) =>
          known.draw({ id, power: fingerprintOf(id), timeoutMs }, random),
    );
    nights.push(night);
  }
  const shown = tasks.filter(({ task }) => chosen.has(task.definition.id));
  const { from, until } = plan;
  const facts = { from, until, problems: 0, assumedWorker: null, isTimeKnown: true, isUsageKnown: true };
  const ended = nights.map((one) => ({ ...one, overdue: NONE }));
  return sumUp(shown, ended, facts);
}

/** A past night is not asked for late tasks. */
const NONE: ReadonlySet<TaskId> = new Set();

interface Compared {
  readonly night: PastNight;
  /** Null: too little was known. */
  readonly forecast: Forecast | null;
}

function compare(compared: readonly Compared[], { tasks: shown, world }: QueueViewModel): Backtest {
  const results = compared.map((one) => ({ ...one, tasks: compareTasks(one, world.now) }));
  const all = results.flatMap(({ tasks }) => tasks);
  const nights = results.map(({ night, forecast, tasks }) => ({
    from: night.from,
    tasks: night.chosen.size,
    isKnown: forecast !== null,
    ...sumHeld(tasks),
  }));
  const tasks = shown.flatMap(({ task: { definition } }) => {
    const own = all.filter(({ id }) => id === definition.id);
    const { id, prompt } = definition;
    return own.length === 0 ? [] : [{ id, prompt, ...sumHeld(own) }];
  });
  const leftOut = compared.reduce(
    (total, { night: { attempts, chosen } }) =>
      total + new Set(attempts.map(({ id }) => id).filter((id) => !chosen.has(id))).size,
    0,
  );
  return { nights, tasks, ...sumHeld(all), leftOut };
}

interface ComparedTask {
  readonly id: TaskId;
  /** Null: there was no time to compare with. */
  readonly start: ComparedTime | null;
  readonly end: ComparedTime | null;
}

interface ComparedTime {
  readonly isHeld: boolean;
  /** Null: it did not happen, or in fewer than half of the simulations. */
  readonly offMs: number | null;
}

function compareTasks({ night, forecast }: Compared, now: EpochMs): readonly ComparedTask[] {
  return (forecast?.tasks ?? []).map(({ id, start, end }) => {
    const success = night.attempts.find((attempt) => attempt.id === id && attempt.outcome === 'success');
    return {
      id,
      start: compareTime(start, night.chosen.get(id)?.startedAt, now),
      end: compareTime(end, success?.endedAt, now),
    };
  });
}

/** Compares a time with its forecast; null: there is no forecast, or what it says may still come true. */
function compareTime(range: Range | null, at: EpochMs | undefined, now: EpochMs): ComparedTime | null {
  const latest = range?.p80 ?? null;
  if (latest === null || (at === undefined && now < latest + SAME_MINUTE_MS)) return null;
  const expected = range?.p50 ?? null;
  return {
    isHeld: at !== undefined && at < latest + SAME_MINUTE_MS,
    offMs: at === undefined || expected === null ? null : Math.abs(at - expected),
  };
}

function sumHeld(tasks: readonly ComparedTask[]): HeldTimes {
  const count = (field: 'start' | 'end'): Held => {
    const answers = tasks.map((task) => task[field]).filter((one) => one !== null);
    const off = answers.flatMap(({ offMs }) => offMs ?? []).sort((one, other) => one - other);
    return {
      held: answers.filter(({ isHeld }) => isHeld).length,
      of: answers.length,
      offMs: atShare(off, 0.5) ?? null,
    };
  };
  return { start: count('start'), end: count('end') };
}
