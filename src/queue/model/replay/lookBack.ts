import type { EpochMs } from '../../../domain/time/epoch';
import type { PastMoment } from '../../pastReader';
import type { Snapshot } from '../../taskQueue';
import { viewQueue, viewRows } from '../queueView';
import type { QueueEvent } from '../events';
import { withApprovals } from '../state/inputsState';
import { type Past, type PastQueue, walkPast } from './pastQueue';

/** Events of processes that ask for tasks: what decides is recorded with them, where it has changed. */
const OF_ASKERS: readonly QueueEvent['kind'][] = ['inputs', 'claimed', 'finished', 'released', 'left'];

/** Returns the state at a time: before the first event that was later. */
export async function lookBack(past: Past, at: EpochMs): Promise<PastMoment<Snapshot>> {
  const found: {
    oldestEvent: EpochMs | null;
    askedAt: EpochMs | null;
    moment: PastMoment<Snapshot> | null;
  } = { oldestEvent: null, askedAt: null, moment: null };
  const last = await walkPast(past, (event, queue) => {
    found.oldestEvent ??= event.at;
    if (found.moment !== null) {
      if (event.kind !== 'inputs' || event.asker === undefined || event.asker.worker === null) return false;
      found.moment = { kind: 'unrecorded', recordedFrom: event.at };
      return true;
    }
    if (event.at <= at) {
      if (OF_ASKERS.includes(event.kind)) found.askedAt = event.at;
      return false;
    }
    found.moment =
      found.oldestEvent > at
        ? { kind: 'before', oldestEvent: found.oldestEvent }
        : momentOf(queue, at, found.askedAt);
    return found.moment.kind !== 'unrecorded';
  });
  if (found.moment !== null) return found.moment;
  return last === null ? { kind: 'before', oldestEvent: null } : momentOf(last, at, found.askedAt);
}

/** @param askedAt when a task was last asked for before; null: not since the past is kept */
function momentOf(queue: PastQueue, now: EpochMs, askedAt: EpochMs | null): PastMoment<Snapshot> {
  const around = queue.around();
  if (around === null) return { kind: 'unrecorded', recordedFrom: null };
  const { state } = queue;
  const rows = queue.rowSet();
  const snapshot: Snapshot = {
    ...viewQueue(state, rows),
    revision: state.revision,
    ...viewRows(rows),
    isUntouched: false,
    emptied: 0,
    timer: state.timer,
    stop: state.stop,
    stopping: state.stopping,
    workers: withApprovals(state, state.workers),
    died: [],
    outbox: [],
    callbacks: [],
  };
  return { kind: 'known', snapshot, around: { ...around, now }, recordedAt: askedAt };
}
