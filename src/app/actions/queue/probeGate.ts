import type { GateView } from '../../../domain/gate/gate';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Lets one task try before the reported reset; if it succeeds, the others follow. From then on no task waits for that
 * reset. Pauses and the circuit breaker are not affected. Returns the gate afterwards.
 * @throws Problem `inside-run`
 */
export async function probeGate(queueContext: QueueContext, queue: TaskQueue): Promise<GateView> {
  await refuseInsideAttempt(queueContext, queue, 'open the gate');
  return (await queueContext.openGate()).probe();
}
