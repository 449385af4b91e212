import type { Priority } from '../../domain/task/priority';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueContext } from '../context/queueContext';

/** What is told of a hold that a person gave no reason for. */
export const HELD_BY_HAND = 'paused by hand';

/** What a person holds, and why. */
export interface HoldRequest {
  readonly why: string;
  /** Without them all is held. */
  readonly priorities?: readonly Priority[];
}

/** Lets nothing, or nothing of these priorities, begin until `resumeQueue`; what runs goes on. @throws Problem `inside-run` */
export async function holdQueue(
  queueContext: QueueContext,
  queue: TaskQueue,
  request: HoldRequest,
): Promise<void> {
  await refuseInsideRun(queueContext, queue, 'pause the queue');
  await queue.hold({ by: 'person', ...request }, queueContext.host.createId());
}
