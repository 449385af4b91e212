import type { Priority } from '../../domain/task/priority';
import type { TaskId } from '../../domain/task/task';
import { serviceOf } from '../../domain/order/service';
import { nextStart } from '../../domain/queue/missingWorker';
import { isSameWorker, type TaskView } from '../../domain/queue/view';
import { createWorld, tasksById } from '../../domain/reasons/world';
import type { Settings } from '../../domain/settings/settings';
import type { EpochMs } from '../../domain/time/epoch';
import type { Claimed, Snapshot, TaskQueue } from '../../queue/taskQueue';
import { ONE_SLOT } from '../../worker/workerDeps';
import { reviewPrompt } from '../checks/promptReview';
import { openPermissions } from '../checks/rowPermissions';
import { TaskRequirements } from '../checks/taskRequirements';
import type { QueueContext } from '../context/queueContext';
import { timerZone } from '../schedule/timerZone';
import { peekViewModel, type QueueViewModel } from '../viewModel/queueViewModel';
import { sumUp, type AssumedWorker, type Forecast } from './forecast';
import { PastAttempts } from './pastAttempts';
import { approveWithoutChecks, withoutCheck } from './rowsWithoutChecks';
import { simulateNight, type NightPlan, type SimulatedNight, type SimulatedWorker } from './simulatedNight';
import type { PlanAttempt } from './simulatedRunner';
import { findUnchangedShares } from './unchangedShares';
import { explainForecast, type Waits } from './waits';

const DAY_MS = 24 * 3_600_000;

/** Workers of a simulation, without their running tasks. */
type SimulatedWorkers = readonly Omit<SimulatedWorker, 'running'>[];

/** Options of a simulation. */
export interface SimulationOptions {
  /** End of the simulation; absent: in 24 hours. */
  readonly until?: EpochMs;
  /**
   * Workers of the night; absent: those that run, else those of the settings. The first takes over the tasks of workers
   * that are not named.
   */
  readonly workers?: SimulatedWorkers;
  /** Number of simulations; absent: 50, enough for a range of 80 in 100. */
  readonly nights?: number;
  /** Number of attempts after whose starts each night ends; absent: no such end. */
  readonly mostStarts?: number;
  /** Priorities that replace those of the rows. */
  readonly priorities?: ReadonlyMap<TaskId, Priority>;
  /** Length of each usage window, in ms; absent: as accounts have them. */
  readonly windowMs?: NightPlan['windowMs'];
  /** Course of each attempt; absent: drawn from the history. */
  readonly plan?: (random: () => number) => PlanAttempt;
}

/** Forecast, and the parts from which its reasons are found. */
interface Simulated {
  readonly forecast: Forecast;
  readonly viewModel: QueueViewModel;
  readonly night: NightPlan;
  readonly nights: readonly SimulatedNight[];
  readonly play: (seed: number, look?: Waits['look']) => Promise<SimulatedNight>;
}

/**
 * Runs the queue as it is now in simulated time, many times, and says why tasks wait and what in their prompts is
 * doubtful. Starts no program and changes nothing.
 */
export async function simulate(
  context: QueueContext,
  queue: TaskQueue,
  options: SimulationOptions,
): Promise<Forecast> {
  const { forecast, viewModel, night, nights, play } = await simulateNights(context, queue, options);
  const choices = night.workers.map(({ choice }) => choice);
  const rules = { ...night, world: viewModel.world, choices };
  return {
    ...(await explainForecast(forecast, nights, rules, play)),
    reviews: await reviewPrompts(context, forecast, viewModel),
  };
}

/** As `simulate`, without reasons and reviews: they need further nights and files. */
export async function simulateNights(
  context: QueueContext,
  queue: TaskQueue,
  options: SimulationOptions,
): Promise<Simulated> {
  const viewModel = await peekViewModel(context, queue);
  // Each night starts from this moment, whatever happens to the queue meanwhile.
  const copy = await queue.copy(context.host.clock, (definition) => ({
    ...withoutCheck(definition),
    priority: options.priorities?.get(definition.id) ?? definition.priority,
  }));
  const { settings, timeZone } = viewModel.world;
  // As the next worker does first. Nobody runs what a dead worker has claimed.
  await copy.recover({ settings, timeZone, random: 0.5 }, 'simulated-recovery');
  const attempts = await copy.attempts({});
  const past = new PastAttempts(attempts);
  const draw =
    (random: () => number): PlanAttempt =>
    ({ definition: { id }, timeoutMs }, _at, ranMs) =>
      past.draw({ id, power: fingerprintOf(viewModel, id), timeoutMs, ranMs }, random);
  const assumedWorker = assumeWorker(viewModel);
  const unchangedShares = findUnchangedShares(viewModel.snapshot.tasks, attempts);
  const night = {
    ...planNight(context, copy, viewModel, { ...options, workersFrom: assumedWorker?.from }),
    unchangedShares,
  };
  const { nights: count = 50 } = options;
  const nights: SimulatedNight[] = [];
  const play = (seed: number, look?: Waits['look']): Promise<SimulatedNight> =>
    simulateNight(night, seed, options.plan ?? draw, look);
  for (let seed = 1; seed <= count; seed++) nights.push(await play(seed));
  const ended = nights.map((one) => ({ ...one, overdue: findOverdue(one, viewModel, night) }));
  const forecast = sumUp(viewModel.tasks, ended, {
    from: night.from,
    until: night.until,
    problems: viewModel.snapshot.problems.length,
    assumedWorker,
    unchangedShares,
    isTimeKnown: options.plan !== undefined || past.isEnough,
    // Without enough attempts, each has the default plan, which uses nothing.
    isUsageKnown: options.plan !== undefined || (past.isEnough && past.knowsUsage),
  });
  return { forecast, viewModel, night, nights, play };
}

/** Reviews the prompts of the tasks that start, and what they need of this machine, in their order. */
async function reviewPrompts(
  context: QueueContext,
  { order }: Forecast,
  { world }: QueueViewModel,
): Promise<Forecast['reviews']> {
  const readPermissions = await openPermissions(context);
  const requirements = new TaskRequirements({ ...context.host.env });
  const found = order.map(async (id) => {
    const task = world.byId.get(id);
    if (task === undefined) return { id, text: '' };
    const lacks = await requirements.findMissing(task.definition);
    const findings = await reviewPrompt(task.definition, await readPermissions(task));
    return { id, text: [...lacks.map(({ message }) => message), ...findings].join(' ') };
  });
  return (await Promise.all(found)).filter(({ text }) => text !== '');
}

function fingerprintOf({ world }: QueueViewModel, id: TaskId): string {
  return world.byId.get(id)?.state.power ?? '';
}

function planNight(
  context: QueueContext,
  copy: TaskQueue,
  { snapshot, world }: QueueViewModel,
  {
    until = world.now + DAY_MS,
    workers,
    windowMs,
    workersFrom,
    mostStarts,
  }: SimulationOptions & { readonly workersFrom: EpochMs | undefined },
): NightPlan {
  const { settings, timeZone, gate } = world;
  return {
    copyQueue: (clock) => copy.copy(clock, (definition) => definition),
    approvedRows: approveWithoutChecks(snapshot.tasks, world.approvedRows),
    rules: { settings, timeZone },
    gate,
    workers: assignRunning(workers ?? expectWorkers(snapshot, settings), snapshot),
    paths: context.paths,
    machine: context.machine.id,
    from: world.now,
    until,
    ...(windowMs === undefined ? {} : { windowMs }),
    ...(workersFrom === undefined ? {} : { workersFrom }),
    ...(mostStarts === undefined ? {} : { mostStarts }),
  };
}

/** Returns the worker to assume: the one that the timer starts next, else one from now on. Null: one is running. */
function assumeWorker({ snapshot, world }: QueueViewModel): AssumedWorker | null {
  const { workers, claims, timer } = snapshot;
  const isRunning = claims.some(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
  if (workers.length > 0 || isRunning) return null;
  const { now } = world;
  const from = timer === null ? null : nextStart(timer.crons, now, timerZone(timer));
  return timer === null || from === null ? { from: now, timer: null } : { from, timer: timer.by };
}

/** Gives each worker what it runs now; an assumed one what its pool runs, and the first one the rest. */
function assignRunning(workers: SimulatedWorkers, { claims, tasks }: Snapshot): readonly SimulatedWorker[] {
  const byId = tasksById({ tasks });
  const running = claims.flatMap((claim): { claimed: Claimed; index: number }[] => {
    const task = byId.get(claim.id);
    const { owner } = claim;
    if (task === undefined || owner.kind !== 'process' || claim.ownerDied === true) return [];
    const index = workers.findIndex(({ pool, registered }) =>
      registered === undefined ? pool === owner.pool : isSameWorker(registered, owner),
    );
    const { definition, state } = task;
    const claimed = { kind: 'claimed', claim, definition: withoutCheck(definition), state } as const;
    return [{ claimed, index: Math.max(index, 0) }];
  });
  return workers.map((worker, index) => ({
    ...worker,
    running: running.filter((one) => one.index === index).map(({ claimed }) => claimed),
  }));
}

/** Returns the workers that are running on a queue, without those that were asked to stop: they start nothing. */
function runningWorkersOf({ workers, stopping }: Snapshot): SimulatedWorkers {
  return workers
    .filter(({ owner }) => !stopping.some((one) => isSameWorker(one, owner)))
    .map(({ owner, takes: choice = {}, slots = ONE_SLOT }) => ({ registered: owner, choice, slots }));
}

/** Returns the workers that run; if none does, those of the settings. */
function expectWorkers(snapshot: Snapshot, settings: Settings): SimulatedWorkers {
  const running = runningWorkersOf(snapshot);
  return running.length > 0 ? running : workersOf(settings);
}

/** Returns the workers of a queue: one for each of its pools, else one that runs one task after another. */
export function workersOf({ pools }: Pick<Settings, 'pools'>): SimulatedWorkers {
  if (pools.size === 0) return [{ choice: {}, slots: ONE_SLOT }];
  return [...pools].map(([pool, { min, max, ...choice }]) => ({ pool, choice, slots: { min, max } }));
}

/** Returns the tasks whose service time or deadline is over at the end of a night. */
function findOverdue(
  { end, gate }: SimulatedNight,
  { world }: QueueViewModel,
  { until }: NightPlan,
): Set<TaskId> {
  const atEnd = createWorld({ ...world, queue: end, gate, now: until });
  const isOverdue = (task: TaskView): boolean => serviceOf(task, atEnd)?.standing === 'violated';
  return new Set(end.tasks.filter(isOverdue).map(({ definition }) => definition.id));
}
