import type { Priority } from '../../../domain/task/priority';
import { withoutStop } from '../../present/text';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/** Reason shown for a pause for which the user gave none. */
export const HELD_BY_HAND = 'paused by hand';

/** Part of the queue that the user pauses, and the reason. */
export interface HoldRequest {
  readonly why: string;
  /** Absent: the whole queue is paused. */
  readonly priorities?: readonly Priority[];
}

/**
 * Pauses the queue, or these priorities, until `resumeQueue`; running attempts continue.
 * @throws Problem `inside-run`
 */
export async function holdQueue(
  queueContext: QueueContext,
  queue: TaskQueue,
  request: HoldRequest,
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'pause the queue');
  const why = toPart(request.why) || HELD_BY_HAND;
  await queue.hold({ by: 'person', ...request, why }, queueContext.host.createId());
}

/** Returns a reason as it is shown: a part of a sentence, in one line. */
function toPart(why: string): string {
  return withoutStop(why.replaceAll(/\s+/g, ' ').trim());
}
