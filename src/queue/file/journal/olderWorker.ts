import { Problem } from '../../../domain/problem';
import { nameWorker, type ProcessOwner } from '../../../domain/queue/view';
import type { QueueEvent } from '../../model/events';
import type { Step } from '../../model/step';
import { t } from '../../../platform/text/translate';

/** Events that start work. None may be recorded while a worker of an earlier version runs. */
const STARTS: readonly QueueEvent['kind'][] = ['claimed', 'enlisted'];

/** Refuses a step that starts work while a worker of an earlier version runs. @throws Problem `older-worker` */
export function refuseBeside(older: ProcessOwner, { events }: Step): void {
  if (!events.some(({ kind }) => STARTS.includes(kind))) return;
  throw new Problem(
    'older-worker',
    t(
      'Worker {0} of an earlier version of this program is running on this queue. ' +
        'Stop it with "claude-queue stop", then try again.',
      nameWorker(older),
    ),
  );
}
