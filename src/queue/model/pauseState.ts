import type { EpochMs } from '../../domain/time/epoch';
import { addPauses, placeHold } from '../../domain/queue/queuePauses';
import type { Hold } from '../../domain/queue/view';
import type { QueueEvent } from './events';
import type { QueueState } from './queueState';

/** Places a hold. */
export function hold(
  state: QueueState,
  { why, bound, at, by = 'person', priorities }: Extract<QueueEvent, { kind: 'held' }>,
): void {
  const placed: Hold = {
    ...{ by, why, at },
    ...(bound === undefined ? {} : { bound }),
    ...(priorities === undefined ? {} : { priorities }),
  };
  setHolds(state, placeHold(state.holds, placed), at);
}

/** Replaces the holds. Those that end are remembered as pauses. */
export function setHolds(state: QueueState, holds: readonly Hold[], at: EpochMs): void {
  state.pauses = addPauses(state.pauses, state.holds, holds, at);
  state.holds = holds;
}
