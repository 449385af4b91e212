import { statSync, type Stats } from 'node:fs';
import * as path from 'node:path';
import { hasCode, isOfOtherUser } from '../platform/files/files';
import { USUAL_QUEUE } from '../queue/queuePaths';

/**
 * The queue file of the nearest folder above this one; null where this folder has one itself, or none above has. Another
 * user's is not taken: a folder that all can write to, such as /tmp, must not give its queue to what is below.
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

/** Null also for what may not be looked at. */
function statIfSeen(file: string): Stats | null {
  try {
    return statSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}
