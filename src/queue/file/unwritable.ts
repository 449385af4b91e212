import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files/files';
import { t } from '../../platform/text/translate';

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
    const message = t('The queue in {0} cannot be written to: {1} Then try again.', path.dirname(file), why);
    throw new Problem('queue-unwritable', `${message} (${String(error)})`, { cause: error });
  }
}

/** Returns the problem of a queue that other processes changed again before each try. */
export function changedMeanwhile(file: string): Problem {
  return new Problem('queue-busy', t('{0}: other processes kept changing the queue. Try again.', file));
}

const WHY_UNWRITABLE = [
  [t('the disk is full. Make room.'), 'ENOSPC', 'EDQUOT'],
  [t('its folder is read-only, or belongs to another user. Fix that.'), 'EACCES', 'EPERM', 'EROFS'],
] as const;
