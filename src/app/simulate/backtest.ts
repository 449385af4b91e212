import { OPEN_GATE, type GateView, type WindowUsage } from '../../domain/gate/gate';
import { findSpending } from '../../domain/queue/nightBudget';
import { BY_HAND, type Attempt } from '../../domain/task/attempt';
import { BY_SCRIPTS } from '../../domain/task/scriptsHistory';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskQueue } from '../../queue/taskQueue';
import type { QueueContext } from '../context/queueContext';
import { atShare } from '../viewModel/attemptStatistics';
import { peekViewModel, type QueueViewModel } from '../viewModel/queueViewModel';
import { sumUp, type Forecast, type Range } from './forecast';
import { PastAttempts } from './pastAttempts';
import { approveWithoutChecks, withoutCheck } from './rowsWithoutChecks';
import type { SimulationOptions } from './simulate';
import { simulateNight, type NightPlan, type SimulatedNight } from './simulatedNight';

/** Number of times that came true by the time that 80 of 100 simulations gave. */
export interface Held {
  readonly held: number;
  readonly of: number;
  /** Median difference of what happened from the time that half of the simulations gave, in ms; null: nothing happened. */
  readonly offMs: number | null;
}

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

/** Options of a backtest. */
interface BacktestOptions extends Pick<SimulationOptions, 'workers' | 'nights'> {
  /** Time from which on nights that started are compared; absent: all. */
  readonly since?: EpochMs;
}

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
  { workers, nights: times = 20, since = -Infinity }: BacktestOptions,
): Promise<Backtest> {
  const viewModel = await peekViewModel(context, queue);
  const attempts = (await queue.attempts({})).filter(
    ({ reason }) => reason !== BY_HAND && reason !== BY_SCRIPTS,
  );
  const oldestFirst = attempts.toSorted((one, other) => one.startedAt - other.startedAt);
  const past = groupByNight(oldestFirst, viewModel.world.timeZone)
    .filter(({ from }) => from >= since)
    .slice(-MOST_NIGHTS);
  const compared = [];
  for (const night of past) {
    const before = oldestFirst.filter(({ endedAt }) => endedAt <= night.from);
    const known = new PastAttempts(before);
    const chosen = chooseTasks(night, viewModel);
    if (!known.isEnough || chosen.size === 0) {
      compared.push({ night, chosen, forecast: null });
      continue;
    }
    const plan = await planPast(context, queue, viewModel, { ...night, chosen, before, workers });
    compared.push({ night, chosen, forecast: await forecastPast(plan, viewModel, known, chosen, times) });
  }
  return compare(compared, viewModel);
}

/** Attempts of a night. */
interface PastNight {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

function groupByNight(oldestFirst: readonly Attempt[], timeZone: string): readonly PastNight[] {
  const byEnd = new Map<EpochMs, Attempt[]>();
  for (const attempt of oldestFirst) {
    const { until } = findSpending([], attempt.startedAt, timeZone);
    const night = byEnd.get(until);
    if (night === undefined) byEnd.set(until, [attempt]);
    else night.push(attempt);
  }
  return [...byEnd].map(([until, attempts]) => ({ from: attempts[0]?.startedAt ?? until, until, attempts }));
}

/** Returns the first attempts of the tasks that waited when the night started, by task. */
function chooseTasks({ from, attempts }: PastNight, { world }: QueueViewModel): ReadonlyMap<TaskId, Attempt> {
  const first = new Map<TaskId, Attempt>();
  for (const attempt of attempts) if (!first.has(attempt.id)) first.set(attempt.id, attempt);
  const isThere = ({ id, startedAt, waitedMs }: Attempt): boolean =>
    world.byId.has(id) && (waitedMs === undefined || startedAt - waitedMs <= from + SAME_MINUTE_MS);
  return new Map([...first].filter(([, attempt]) => isThere(attempt)));
}

interface PastPlan extends Pick<PastNight, 'from' | 'until'> {
  readonly chosen: ReadonlyMap<TaskId, Attempt>;
  readonly before: readonly Attempt[];
  readonly workers: SimulationOptions['workers'];
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
  for (const id of chosen.keys()) await copy.command(id, 'retry', `retry-${String(id)}`);
  await copy.resume('resume');
  const { settings, timeZone } = world;
  const tasks = snapshot.tasks.filter(({ definition }) => chosen.has(definition.id));
  return {
    copyQueue: (clock) => copy.copy(clock, (definition) => definition),
    approvedRows: approveWithoutChecks(tasks, { trusted: true, approvals: new Set() }),
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
  { tasks }: QueueViewModel,
  known: PastAttempts,
  chosen: ReadonlyMap<TaskId, Attempt>,
  times: number,
): Promise<Forecast> {
  const nights: SimulatedNight[] = [];
  for (let seed = 1; seed <= times; seed++) {
    const night = await simulateNight(
      plan,
      seed,
      (random) =>
        ({ definition: { id } }) =>
          known.draw(id, chosen.get(id)?.power ?? '', random),
    );
    nights.push(night);
  }
  const shown = tasks.filter(({ task }) => chosen.has(task.definition.id));
  const facts = { from: plan.from, until: plan.until, problems: 0, isTimeKnown: true, isUsageKnown: true };
  return sumUp(shown, nights, new Map(), facts);
}

interface Compared {
  readonly night: PastNight;
  readonly chosen: ReadonlyMap<TaskId, Attempt>;
  /** Null: too little was known. */
  readonly forecast: Forecast | null;
}

function compare(compared: readonly Compared[], { tasks: shown }: QueueViewModel): Backtest {
  const results = compared.map((one) => ({ ...one, tasks: compareTasks(one) }));
  const all = results.flatMap(({ tasks }) => tasks);
  const nights = results.map(({ night, chosen, forecast, tasks }) => ({
    from: night.from,
    tasks: chosen.size,
    isKnown: forecast !== null,
    ...sumHeld(tasks),
  }));
  const tasks = shown.flatMap(({ task: { definition } }) => {
    const own = all.filter(({ id }) => id === definition.id);
    const { id, prompt } = definition;
    return own.length === 0 ? [] : [{ id, prompt, ...sumHeld(own) }];
  });
  const leftOut = compared.reduce(
    (total, { night, chosen }) => total + new Set(night.attempts.map(({ id }) => id)).size - chosen.size,
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

function compareTasks({ night, chosen, forecast }: Compared): readonly ComparedTask[] {
  return (forecast?.tasks ?? []).map(({ id, start, end }) => {
    const success = night.attempts.find((attempt) => attempt.id === id && attempt.outcome === 'success');
    return {
      id,
      start: compareTime(start, chosen.get(id)?.startedAt),
      end: compareTime(end, success?.endedAt),
    };
  });
}

function compareTime(range: Range | null, at: EpochMs | undefined): ComparedTime | null {
  const latest = range?.p80 ?? null;
  if (latest === null) return null;
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
