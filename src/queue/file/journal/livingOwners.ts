import type { ProcessOwner } from '../../../domain/queue/view';
import { resolveFile } from '../../../platform/files/paths';
import { livenessOn } from '../../model/liveness';
import { livingOwners } from '../../model/registration';
import { QueuePaths } from '../../queuePaths';
import { refuseUnsafe } from '../stateFolder';
import { FileHistory } from './fileHistory';
import type { ForeignOptions } from './foreignFile';

/**
 * Returns the living processes of this machine that work on a queue, by its history alone: its file may be gone.
 * @throws Problem `state-foreign` and others if its state folder must not be used
 */
export async function findLivingOwners(
  options: Omit<ForeignOptions, 'clock'>,
): Promise<readonly ProcessOwner[]> {
  const { file, machine, known } = options;
  const { state } = new QueuePaths(await resolveFile(file));
  await refuseUnsafe(state);
  const history = new FileHistory(state, { known, machine });
  await history.catchUp();
  const { queue } = history.state;
  await history.close();
  return livingOwners(queue, livenessOn(machine));
}
