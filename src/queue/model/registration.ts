import { Problem } from '../../domain/problem';
import { nameWorker, isSameWorker, type RegisteredWorker, type ProcessOwner } from '../../domain/queue/view';
import type { Registration, Machine } from '../taskQueue';
import { deadWorkers, raiseDeaths } from './outbox';
import type { QueueState } from './queueState';
import type { Step } from './step';

/**
 * Those of this machine that live. Whether one of another machine does cannot be known here, and a queue file is
 * worked by one machine at a time.
 */
export function livingWorkers({ workers }: QueueState, machine: Machine): RegisteredWorker[] {
  return workers.filter(({ owner }) => owner.machine === machine.id && machine.isAlive(owner.process));
}

/** A process of this machine that works on the queue now, enlisted or by its claim; null where there is none. */
export function findLivingOwner(state: QueueState, machine: Machine): ProcessOwner | null {
  const [worker] = livingWorkers(state, machine);
  if (worker !== undefined) return worker.owner;
  for (const { owner } of state.claims.values())
    if (owner.kind === 'process' && owner.machine === machine.id && machine.isAlive(owner.process))
      return owner;
  return null;
}

/** Puts a worker on record, or says who is there where it wants to be alone in its pool. Forgets those that died. */
export function registerWorker(
  step: Step,
  worker: RegisteredWorker,
  alone: boolean,
  machine: Machine,
): Registration {
  const living = livingWorkers(step.state, machine);
  const by = living.find(
    ({ owner }) => owner.pool === worker.owner.pool && !isSameWorker(owner, worker.owner),
  );
  if (alone && by !== undefined) return { kind: 'taken', by };
  raiseDeaths(step, deadWorkers(step.state, machine));
  const dead = step.state.workers.filter((other) => !living.includes(other)).map(({ owner }) => owner);
  if (dead.length > 0) step.record({ kind: 'left', workers: dead });
  step.record({ kind: 'enlisted', worker });
  return { kind: 'enlisted' };
}

/** Takes a worker off the record, where it is on it. */
export function unregisterWorker(step: Step, worker: ProcessOwner): void {
  if (step.state.workers.some(({ owner }) => isSameWorker(owner, worker)))
    step.record({ kind: 'left', workers: [worker] });
}

/** Nothing is archived under the feet of those who work by it. @throws Problem `already-running` */
export function refuseWhileRunning(state: QueueState, machine: Machine): void {
  const running = [...state.claims.keys()];
  if (running.length > 0) {
    throw new Problem({ reason: 'already-running', kind: 'resets-running', ids: running });
  }
  const [worker] = livingWorkers(state, machine);
  if (worker !== undefined) {
    const name = nameWorker(worker.owner);
    throw new Problem({ reason: 'already-running', kind: 'resets-worker', worker: name });
  }
}
