import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, isOfOtherUser } from '../../platform/files/files';
import { userStateFolder } from '../../platform/files/paths';
import { t } from '../../platform/text/translate';
import type { QueueContext } from '../context/queueContext';
import { fine, inTerminal, problem, type Checked } from './checked';
import { nearestFolder, whyUnusable } from './usableFolder';

/** Checks that the queue file and the folders of state can be written. Writes nothing. */
export async function checkStorage(queueContext: QueueContext): Promise<Checked[]> {
  const states = [queueContext.paths.state.folder, userStateFolder(queueContext.host.env)];
  const found = await Promise.all([checkQueueFile(queueContext), ...states.map(checkStateFolder)]);
  return found.flat();
}

/** Finds nothing if the file is missing: reading the queue reports that. */
async function checkQueueFile({ redis, queueFile }: QueueContext): Promise<Checked[]> {
  if (redis !== null) return [];
  const folder = path.dirname(queueFile);
  const why = await whyUnusable(folder);
  if (why?.kind === 'missing' || (why === null && (await isReplaceable(queueFile)))) return [];
  const message =
    why === null
      ? t('cannot be written: it does not show what tasks become. Make it writable.')
      : t(
          'cannot be written: {0} The file does not show what tasks become. Make the folder writable.',
          why.describe(folder),
        );
  return [{ ...problem(queueFile, message), ...inTerminal(folder) }];
}

/**
 * Returns whether a file in a usable folder can be replaced, or is missing. A replace links to the old file: Linux lets
 * users link to their own files, and to others only if they can write them.
 */
async function isReplaceable(file: string): Promise<boolean> {
  try {
    await fs.access(file, fs.constants.W_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return true;
    return hasCode(error, 'EACCES') && !isOfOtherUser(await fs.stat(file));
  }
}

async function checkStateFolder(folder: string): Promise<Checked> {
  const nearest = await nearestFolder(folder);
  const why = await whyUnusable(nearest);
  if (why !== null)
    return {
      ...problem(
        folder,
        t('cannot be written: {0} State is kept there. Make it writable.', why.describe(nearest)),
      ),
      ...inTerminal(path.dirname(nearest)),
    };
  return (await isDiskFull(nearest))
    ? {
        ...problem(folder, t('cannot be written: its disk is full. Make room.')),
        ...inTerminal(nearest),
      }
    : fine(folder, t('can be written.'));
}

/** Free space below which a disk counts as full, in bytes: the end of an attempt may need that much. */
const LEAST_FREE_BYTES = 256 * 1024;

async function isDiskFull(folder: string): Promise<boolean> {
  const { blocks, bavail, bsize } = await fs.statfs(folder);
  // Some file systems of networks do not report their size.
  return blocks > 0 && bavail * bsize < LEAST_FREE_BYTES;
}
