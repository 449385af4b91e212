import {
  describeScriptsLock,
  findScriptsLock,
  refuseScripts as refuseScriptsIn,
} from '../../queue/scripts/scriptsLock';
import { inTerminal, type Checked } from '../checks/checked';
import type { QueueContext } from './queueContext';
import { t } from '../../platform/text/translate';

/** Refuses while `queue_manager.sh` is working on the queue. @throws Problem `queue-locked` */
export function refuseScripts({ paths, host }: QueueContext): void {
  refuseScriptsIn(paths.state, (message) => {
    host.warn(message);
  });
}

/** Returns a sentence while `queue_manager.sh` is working on the queue; else null. */
export function describeScripts({ paths }: QueueContext): string | null {
  const lock = findScriptsLock(paths.state);
  return lock?.isHeld === true ? describeScriptsLock(lock) : null;
}

/** Checks the lock of `queue_manager.sh`. */
export function checkScripts({ paths }: QueueContext): Checked[] {
  const lock = findScriptsLock(paths.state);
  if (lock === null) return [];
  const { file, pid } = lock;
  return lock.isHeld
    ? [
        {
          state: 'problem',
          where: file,
          message: describeScriptsLock(lock),
          ...inTerminal(paths.workspace),
        },
      ]
    : [
        {
          state: 'note',
          where: file,
          message: t(
            'Left by queue_manager (pid {0}), which has ended. It is renamed at the next change of the queue.',
            pid ?? t('unknown'),
          ),
        },
      ];
}
