import type { Priority } from '../../domain/task/priority';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueContext } from '../context/queueContext';

/** What is told of a hold that the user gave no reason for. */
export const HELD_BY_HAND = 'paused by hand';

/** What the user holds, and why. */
export interface HoldRequest {
  readonly why: string;
  /** Without them all is held. */
  readonly priorities?: readonly Priority[];
}

/** Lets nothing, or nothing of these priorities, start until `resumeQueue`; what runs continues. @throws Problem `inside-run` */
export async function holdQueue(
  queueContext: QueueContext,
  queue: TaskQueue,
  request: HoldRequest,
): Promise<void> {
  await refuseInsideRun(queueContext, queue, 'pause the queue');
  await queue.hold({ by: 'person', ...request }, queueContext.host.createId());
}
