import type { GateView } from '../../domain/gate/limits';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueContext } from '../context/queueContext';

/**
 * Lets one task try before the reset that the account told: if it is let through, the others follow. Nobody waits for that
 * reset any more, as the gate says; holds, and failures in a row, are not what is tried here. Gives the gate after it.
 * @throws Problem `inside-run`
 */
export async function probeGate(queueContext: QueueContext, queue: TaskQueue): Promise<GateView> {
  await refuseInsideRun(queueContext, queue, 'open the gate');
  return (await queueContext.openGate()).probe();
}
