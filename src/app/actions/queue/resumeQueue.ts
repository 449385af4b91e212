import { phaseOf } from '../../../domain/gate/gateOpening';
import type { Priority } from '../../../domain/task/priority';
import { isBroken } from '../../../domain/task/streak';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/** Facts about a queue before it was resumed. */
export interface Resumed {
  /** Whether pauses or failures in a row stopped tasks. */
  readonly wasPaused: boolean;
  /** Whether the account's gate was closed and is open now. */
  readonly hasOpenedGate: boolean;
}

/**
 * Lifts all pauses and opens the gate, so that waiting tasks are tried again.
 * @throws Problem `inside-run`
 */
export async function resumeQueue(queueContext: QueueContext, queue: TaskQueue): Promise<Resumed> {
  await refuseInsideAttempt(queueContext, queue, 'open the gate');
  const op = queueContext.host.createId();
  const { settings } = await queueContext.configure();
  const { holds, streak } = await queue.read();
  const gate = await queueContext.openGate();
  const isClosed = async (): Promise<boolean> => {
    const { closures } = await gate.view();
    const now = queueContext.host.clock.now();
    return closures.some((block) => phaseOf(block, now, settings).kind === 'closed');
  };
  const wasClosed = await isClosed();
  await gate.reopen();
  await queue.resume(op);
  return {
    wasPaused: holds.length > 0 || isBroken(streak, settings),
    hasOpenedGate: wasClosed && !(await isClosed()),
  };
}

/**
 * Lifts only the pauses of these priorities.
 * @throws Problem `inside-run`
 */
export async function resumePriorities(
  queueContext: QueueContext,
  queue: TaskQueue,
  priorities: readonly Priority[],
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'open the gate');
  await queue.resume(queueContext.host.createId(), { priorities });
}
