import { Problem } from '../../../domain/problem';
import { nameWorker, type ProcessOwner } from '../../../domain/queue/view';
import type { QueueEvent } from '../../model/events';
import type { Step } from '../../model/step';

/** What only workers do: beside one of an earlier version no other may start. */
const STARTS: readonly QueueEvent['kind'][] = ['claimed', 'enlisted'];

/** @throws Problem `older-worker` where the step starts something while a worker of an earlier version runs */
export function refuseBeside(older: ProcessOwner, { events }: Step): void {
  if (!events.some(({ kind }) => STARTS.includes(kind))) return;
  throw new Problem(
    'older-worker',
    `Worker ${nameWorker(older)} of an earlier version of this program is running on this queue. ` +
      'Stop it with "claude-queue stop", then try again.',
  );
}
