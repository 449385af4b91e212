import { statSync, type Stats } from 'node:fs';
import * as path from 'node:path';
import type { Host } from '../app/context/host';
import { composeRedisAddress, type RedisAddress } from '../app/context/redisAddress';
import { Problem } from '../domain/problem';
import type { WorkerFile } from '../domain/settings/workerFile';
import { hasCode, isOfOtherUser } from '../platform/files/files';
import { REDIS_ADDRESS } from '../platform/processes/environment';
import { USUAL_QUEUE } from '../queue/queuePaths';

/**
 * Returns the address of the queue in Redis that the command line names, or else a variable.
 * @throws Problem `usage` if the command line names a file too
 */
export function findRedis(
  { queue, redis }: { readonly queue?: string | undefined; readonly redis?: string | undefined },
  { env }: Pick<Host, 'env'>,
): string | undefined {
  if (queue !== undefined && redis !== undefined)
    throw new Problem('usage', 'Give --queue for a file, or --redis: not both.');
  if (queue !== undefined || redis !== undefined) return redis;
  const address = env[REDIS_ADDRESS] ?? '';
  return address === '' ? undefined : address;
}

/**
 * Returns the address of the queue in Redis that a worker's settings name, where the command line names none.
 * @throws Problem `usage` if the command line names a file
 */
export function redisOfWorker(
  { isNamed, redis }: { readonly isNamed: boolean; readonly redis: RedisAddress | null },
  { redis: own }: Pick<WorkerFile, 'redis'>,
): string | null {
  const [key] = Object.keys(own);
  if (key === undefined || redis !== null) return null;
  if (!isNamed) return composeRedisAddress(own);
  throw new Problem(
    'usage',
    `The settings of the worker name a Redis server (redis.${key}), and --queue names a file. Remove one of them.`,
  );
}

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
