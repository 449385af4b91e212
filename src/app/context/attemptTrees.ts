import * as path from 'node:path';
import { queueKey } from '../../account/approvals';
import { userStateFolder } from '../../platform/files/paths';
import { KeptTrees } from '../../platform/git/keptTrees';
import type { QueueContext } from './queueContext';

/** Returns where the trees before and after a queue's attempts on this machine are kept. */
export function openTrees({ queueFile, host }: Pick<QueueContext, 'queueFile' | 'host'>): KeptTrees {
  return new KeptTrees(path.join(userStateFolder(host.env), 'trees', queueKey(queueFile)), host.env);
}
