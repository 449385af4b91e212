import { noteEnded, noteRegistered } from '../../../domain/queue/missingWorker';
import type { EpochMs } from '../../../domain/time/epoch';
import { isSameWorker } from '../../../domain/queue/view';
import type { RegisteredWorker, ProcessOwner } from '../../../domain/queue/view';
import type { QueueEvent } from '../events';
import { forgetAskers } from './inputsState';
import type { QueueState } from './queueState';

/** Applies an event of workers to the state. */
export function applyToWorkers(
  state: QueueState,
  event: Extract<QueueEvent, { kind: 'stop' | 'enlisted' | 'left' }>,
): void {
  switch (event.kind) {
    case 'stop':
      state.stop = { how: event.how, at: event.at };
      state.stopping = state.workers.map(({ owner }) => owner);
      return;
    case 'enlisted':
      register(state, event.worker, event.at);
      return;
    case 'left':
      endTimed(state, event.workers, event.at);
      state.workers = without(state.workers, event.workers);
      forgetAskers(state, event.workers);
      return;
  }
}

function register(state: QueueState, worker: RegisteredWorker, at: EpochMs): void {
  const { stop } = state;
  state.workers = [...without(state.workers, [worker.owner]), worker];
  if (state.timer !== null) state.timer = noteRegistered(state.timer);
  const cameMeanwhile = stop !== null && stop.at >= worker.since && stop.at <= at;
  const others = state.stopping.filter((one) => !isSameWorker(one, worker.owner));
  state.stopping = cameMeanwhile ? [...others, worker.owner] : others;
}

function endTimed(state: QueueState, left: readonly ProcessOwner[], at: EpochMs): void {
  const isTimed = state.workers.some(
    ({ owner, byTimer }) => byTimer === true && left.some((one) => isSameWorker(one, owner)),
  );
  if (state.timer !== null && isTimed) state.timer = noteEnded(state.timer, at);
}

function without(workers: readonly RegisteredWorker[], left: readonly ProcessOwner[]): RegisteredWorker[] {
  return workers.filter(({ owner }) => !left.some((one) => isSameWorker(one, owner)));
}
