import * as path from 'node:path';
import { queueKey } from '../../account/approvals';
import { userStateFolder } from '../../platform/files/paths';
import { KeptTrees } from '../../platform/git/keptTrees';
import type { Host } from './host';
import type { QueueContext } from './queueContext';

/** Returns where the trees before and after a queue's attempts on this machine are kept. */
export function openKeptTrees({ queueFile, host }: Pick<QueueContext, 'queueFile' | 'host'>): KeptTrees {
  return openKeptTreesOf(queueKey(queueFile), host.env);
}

/** Returns where the trees of the queue with this key (`queueKey`) are kept. */
export function openKeptTreesOf(key: string, env: Host['env']): KeptTrees {
  return new KeptTrees(path.join(userStateFolder(env), 'trees', key), env);
}

/** Returns the folder in which workers remember the sizes of git's objects, for all repositories of the user. */
export function findSizesFolder(env: Host['env']): string {
  return path.join(userStateFolder(env), 'sizes');
}
