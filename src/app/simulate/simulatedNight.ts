import { describeError } from '../present/problems/problem';
import type { GateView } from '../../domain/gate/gate';
import type { WINDOW_MS } from '../../domain/gate/usageWindows';
import type { ProcessOwner } from '../../domain/queue/view';
import type { Slots } from '../../domain/order/slots';
import type { Attempt, Runner } from '../../domain/task/attempt';
import type { ApprovalSet } from '../../domain/task/approval';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { QueuePaths } from '../../queue/queuePaths';
import type { Claimed, Snapshot, TaskQueue } from '../../queue/taskQueue';
import { DiffChain } from '../../worker/attempt/diffChain';
import { runAttempt } from '../../worker/attempt/runAttempt';
import { Preemptions } from '../../worker/preemptions';
import { work } from '../../worker/work';
import type { Rules, WorkerDeps, WorkerEvents } from '../../worker/workerDeps';
import { NO_PROCESSES } from './noProcesses';
import { seededRandom } from './seededRandom';
import { SimulatedClock } from './simulatedClock';
import { createSimulatedGate } from './simulatedGate';
import { SIMULATED_PROCESS, SimulatedRunner, type PlanAttempt } from './simulatedRunner';
import { SimulatedUsage } from './simulatedUsage';

/** A worker of a simulated night. */
export interface SimulatedWorker extends Required<Pick<WorkerDeps, 'choice' | 'slots'>> {
  readonly pool?: string;
  /** Running worker that it simulates; absent: an assumed one. */
  readonly registered?: ProcessOwner;
  /** Tasks that it runs when the night starts. */
  readonly running: readonly Claimed[];
}

/** Circumstances of a night. */
export interface NightPlan {
  /** Returns a copy of the queue at this clock. */
  readonly copyQueue: (clock: SimulatedClock) => Promise<TaskQueue>;
  readonly approvedRows: ApprovalSet;
  readonly rules: Rules;
  readonly gate: GateView;
  readonly workers: readonly SimulatedWorker[];
  readonly paths: QueuePaths;
  /** Id of this machine. */
  readonly machine: string;
  readonly from: EpochMs;
  /** Time from which on workers run; absent: from the start. */
  readonly workersFrom?: EpochMs;
  /** No task starts from this time on. */
  readonly until: EpochMs;
  /** Number of attempts after whose starts none starts; absent: no such bound. */
  readonly mostStarts?: number;
  /** Length of each usage window, in ms; absent: as accounts have them. */
  readonly windowMs?: typeof WINDOW_MS;
  /** Share of the due times of a task that are skipped as unchanged; absent for one whose due times all run. */
  readonly unchangedShares?: ReadonlyMap<TaskId, number>;
}

/** Events of one simulated night. */
export interface SimulatedNight {
  /** Attempts that ended in it, in the order of their starts. One that was running at its start has an earlier start. */
  readonly attempts: readonly Attempt[];
  /** The queue and the gate at its end. */
  readonly end: Snapshot;
  readonly gate: GateView;
}

/** The queue and the gate at a time of a night, when everything that happens then has happened. */
export interface NightMoment {
  readonly now: EpochMs;
  readonly queue: Snapshot;
  readonly gate: GateView;
}

/**
 * Runs the real worker on a copy of the queue in simulated time. The same seed gives the same night. `look` sees each of
 * its moments.
 */
export async function simulateNight(
  night: NightPlan,
  seed: number,
  planWith: (random: () => number) => PlanAttempt,
  look?: (moment: NightMoment) => void,
): Promise<SimulatedNight> {
  const clock = new SimulatedClock(night.from);
  const random = seededRandom(seed);
  const queue = await night.copyQueue(clock);
  const gate = createSimulatedGate(night.gate, clock, night.rules.settings);
  const usage = new SimulatedUsage(night.gate, night.from, night.windowMs);
  const running = night.workers.flatMap((worker) => worker.running.map(({ claim }) => claim));
  const runningSince = new Map(running.map(({ id, at }) => [id, at]));
  const simulated = new SimulatedRunner(clock, usage, planWith(random), runningSince);
  const enough = new AbortController();
  const runner = countStarts(simulated, night.mostStarts ?? Infinity, enough);
  let ids = 0;
  const common: CommonDeps = {
    ...{ queue, gate, runner, clock, random, describeError, events: NO_EVENTS },
    readApprovedRows: () => Promise.resolve(night.approvedRows),
    rules: { last: night.rules, read: () => Promise.resolve(night.rules) },
    createId: () => `simulated-${String((ids += 1))}`,
    processes: NO_PROCESSES,
    since: night.from,
    assumeUnchanged: (id) => {
      const share = night.unchangedShares?.get(id);
      return share !== undefined && random() < share;
    },
    // The rows of the copy have no checks.
    prepareCheck: () => Promise.reject(new RangeError('A simulated attempt has no check.')),
    paths: night.paths,
    // Every change rings: nobody else changes the queue.
    lookAgainMs: Infinity,
    heartbeatMs: Infinity,
  };
  const before = new Set((await queue.attempts({})).map(keyOf));
  const started = night.workers.map((worker, index) =>
    runWorker({ ...common, ...describeWorker(worker, index, night.machine) }, worker, night, enough.signal),
  );
  const lookHere = async (): Promise<void> => {
    look?.({ now: clock.now(), queue: await queue.read(), gate: await gate.view() });
  };
  await clock.run(Promise.all(started), look === undefined ? undefined : lookHere);
  const startOf = new Map(running.map((claim) => [keyOf({ ...claim, number: claim.attempt }), claim.at]));
  const attempts = (await queue.attempts({}))
    .filter((attempt) => !before.has(keyOf(attempt)))
    .map((attempt) => ({ ...attempt, startedAt: startOf.get(keyOf(attempt)) ?? attempt.startedAt }));
  return {
    attempts: attempts.sort((one, other) => one.startedAt - other.startedAt),
    end: await queue.read(),
    gate: await gate.view(),
  };
}

/** Returns the runner. It reports that this number of attempts have started. */
function countStarts(runner: Runner, most: number, enough: AbortController): Runner {
  let started = 0;
  return {
    run: (job, ...how) => {
      started += 1;
      if (started >= most) enough.abort();
      return runner.run(job, ...how);
    },
    tracesOf: (...how) => runner.tracesOf(...how),
  };
}

const keyOf = ({ id, number }: Pick<Attempt, 'id' | 'number'>): string => `${String(id)}/${String(number)}`;

type CommonDeps = Omit<WorkerDeps, 'owner' | 'choice' | 'slots'>;

function describeWorker(
  { choice, pool }: SimulatedWorker,
  index: number,
  machine: string,
): Pick<WorkerDeps, 'owner' | 'choice'> {
  const worker = `simulated-${String(index + 1)}`;
  const owner = { kind: 'process', worker, machine, process: SIMULATED_PROCESS } as const;
  return { choice, owner: pool === undefined ? owner : { ...owner, pool } };
}

/** Ends the attempts that are running, then runs the next ones in the slots that get free. */
async function runWorker(
  deps: Omit<WorkerDeps, 'slots'>,
  { slots, running }: SimulatedWorker,
  { until, workersFrom = 0 }: Pick<NightPlan, 'until' | 'workersFrom'>,
  enough: AbortSignal,
): Promise<void> {
  let taken = running.length;
  const free: Slots = {
    get min() {
      return slots.min - taken;
    },
    get max() {
      return slots.max - taken;
    },
  };
  const never = new AbortController().signal;
  const drain = new AbortController();
  const preemptions = new Preemptions();
  const ends = running.map(async (claimed) => {
    const attempt = preemptions.begin(claimed, () => !drain.signal.aborted);
    const link = { reserveNext: () => false, diffs: new DiffChain(undefined), running: attempt };
    const ended = await runAttempt(deps, claimed, never, link);
    preemptions.end(attempt, claimed, ended !== null);
    taken -= 1;
    // A slot is free.
    await deps.queue.sync();
  });
  const night = deps.clock.sleep(until - deps.since, enough).then(() => {
    drain.abort();
  });
  const bounds = { scheduled: true, drainSignal: drain.signal };
  const start = async (): Promise<void> => {
    await deps.clock.sleep(Math.max(workersFrom - deps.since, 0), drain.signal);
    await work({ ...deps, slots: free }, bounds, never, preemptions);
  };
  await Promise.all([...ends, night, start()]);
}

/** Nobody listens to a simulated worker. */
const NO_EVENTS: WorkerEvents = {
  lost: () => undefined,
  started: () => undefined,
  line: () => undefined,
  ended: () => undefined,
  waiting: () => undefined,
  lifted: () => undefined,
  windowsGone: () => undefined,
  trouble: () => undefined,
};
