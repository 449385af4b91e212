import {
  describeScriptsLock,
  findScriptsLock,
  refuseScripts as refuseScriptsIn,
} from '../../queue/file/scripts/scriptsLock';
import type { Checked } from '../checks/machineCheck';
import type { QueueContext } from './queueContext';

/** @throws Problem `queue-locked` while `queue_manager.sh` works on the queue */
export function refuseScripts({ stateFolder, host }: QueueContext): void {
  refuseScriptsIn(stateFolder, (message) => {
    host.warn(message);
  });
}

/** A sentence while `queue_manager.sh` works on the queue; else null. */
export function describeScripts({ stateFolder }: QueueContext): string | null {
  const lock = findScriptsLock(stateFolder);
  return lock?.isHeld === true ? describeScriptsLock(lock) : null;
}

/** Checks the lock of `queue_manager.sh`. */
export function checkScripts({ stateFolder }: QueueContext): Checked[] {
  const lock = findScriptsLock(stateFolder);
  if (lock === null) return [];
  const { file, pid } = lock;
  return lock.isHeld
    ? [{ state: 'problem', where: file, message: describeScriptsLock(lock) }]
    : [
        {
          state: 'note',
          where: file,
          message: `Left by queue_manager (pid ${String(pid ?? 'unknown')}), which has ended. It is renamed at the next change of the queue.`,
        },
      ];
}
