import { Problem } from '../../domain/problem';
import {
  nameWorker,
  isSameWorker,
  type LivingWorker,
  type RegisteredWorker,
  type ProcessOwner,
} from '../../domain/queue/view';
import type { Registration } from '../taskQueue';
import type { Liveness } from './liveness';
import { deadWorkers, raiseDeaths } from './outbox';
import { withApprovals } from './state/inputsState';
import type { QueueState } from './state/queueState';
import type { Step } from './step';
import { isOwnerDead } from './steps';

/** Returns the workers that are known to live. */
function livingWorkers({ workers }: QueueState, liveness: Liveness): readonly RegisteredWorker[] {
  return workers.filter(({ owner }) => liveness.isAlive(owner));
}

/** Returns the workers that are known to live, with what may run on their machines. */
export function showWorkers(state: QueueState, liveness: Liveness): readonly LivingWorker[] {
  return withApprovals(state, livingWorkers(state, liveness));
}

/** Returns the living processes that are registered or have a claim, each once. */
export function livingOwners(state: QueueState, liveness: Liveness): readonly ProcessOwner[] {
  const claiming = [...state.claims.values()].flatMap(({ owner }) =>
    owner.kind === 'process' && liveness.isAlive(owner) ? [owner] : [],
  );
  const owners = [...livingWorkers(state, liveness).map(({ owner }) => owner), ...claiming];
  return owners.filter((owner, index) => owners.findIndex((one) => isSameWorker(one, owner)) === index);
}

/** Returns a living process that is registered or has a claim; null if there is none. */
export function findLivingOwner(state: QueueState, liveness: Liveness): ProcessOwner | null {
  return livingOwners(state, liveness)[0] ?? null;
}

/**
 * Registers a worker. Returns the other worker if it wants to be alone in its pool on its machine and is not. Unregisters workers
 * that died.
 */
export function registerWorker(
  step: Step,
  worker: RegisteredWorker,
  alone: boolean,
  liveness: Liveness,
): Registration {
  const living = livingWorkers(step.state, liveness);
  const by = living.find(
    ({ owner }) =>
      owner.machine === worker.owner.machine &&
      owner.pool === worker.owner.pool &&
      !isSameWorker(owner, worker.owner),
  );
  if (alone && by !== undefined) return { kind: 'taken', by };
  raiseDeaths(step, deadWorkers(step.state, liveness));
  const dead = step.state.workers.filter((other) => !living.includes(other)).map(({ owner }) => owner);
  if (dead.length > 0) step.record({ kind: 'left', workers: dead });
  step.record({ kind: 'enlisted', worker });
  return { kind: 'enlisted' };
}

/** Records that the timer started a worker. Dead workers do not count as running. */
export function recordTimerStart(step: Step, liveness: Liveness): void {
  const isRunning =
    livingWorkers(step.state, liveness).length > 0 ||
    [...step.state.claims.values()].some(
      (claim) => claim.owner.kind === 'process' && !isOwnerDead(claim, liveness),
    );
  step.record({ kind: 'timer-started', ...(isRunning ? {} : { noWorker: true }) });
}

/** Unregisters a worker, if it is registered. */
export function unregisterWorker(step: Step, worker: ProcessOwner): void {
  if (step.state.workers.some(({ owner }) => isSameWorker(owner, worker)))
    step.record({ kind: 'left', workers: [worker] });
}

/** Refuses to archive while attempts or workers run. @throws Problem `already-running` */
export function refuseWhileRunning(state: QueueState, liveness: Liveness): void {
  const running = [...state.claims.keys()];
  if (running.length > 0) {
    throw new Problem({ reason: 'already-running', kind: 'resets-running', ids: running });
  }
  const [worker] = livingWorkers(state, liveness);
  if (worker !== undefined) {
    const name = nameWorker(worker.owner);
    throw new Problem({ reason: 'already-running', kind: 'resets-worker', worker: name });
  }
}
