import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files/files';

/**
 * Runs `work`. If the disk cannot be written to, throws a message that says what to do. @throws Problem
 * `queue-unwritable`
 */
export async function whileWritable<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = WHY_UNWRITABLE.find(([, ...codes]) => hasCode(error, ...codes))?.[0];
    if (why === undefined) throw error;
    const message = `The queue in ${path.dirname(file)} cannot be written to: ${why} Then try again.`;
    throw new Problem('queue-unwritable', `${message} (${String(error)})`, { cause: error });
  }
}

const WHY_UNWRITABLE = [
  ['the disk is full. Make room.', 'ENOSPC', 'EDQUOT'],
  ['its folder is read-only, or belongs to another user. Fix that.', 'EACCES', 'EPERM', 'EROFS'],
] as const;
