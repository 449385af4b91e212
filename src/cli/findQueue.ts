import { statSync, type Stats } from 'node:fs';
import * as path from 'node:path';
import { hasCode, isOfOtherUser } from '../platform/files/files';
import { USUAL_QUEUE } from '../queue/queuePaths';

/**
 * Returns the queue file of the nearest folder above this one; null if this folder has one itself, or if none above
 * has. Ignores files of other users: a folder that all can write to, such as /tmp, must not set the queue of the
 * folders below it.
 */
export function findQueueAbove(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, USUAL_QUEUE);
    const stat = statIfSeen(file);
    if (stat !== null && at === folder) return null;
    if (stat?.isFile() === true && !isOfOtherUser(stat)) return file;
    if (path.dirname(at) === at) return null;
  }
}

/** Returns null also for a file that must not be read. */
function statIfSeen(file: string): Stats | null {
  try {
    return statSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}
