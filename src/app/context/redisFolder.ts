import { hash } from 'node:crypto';
import * as path from 'node:path';
import { readIfThere, replaceDurably } from '../../platform/files/files';
import { userStateFolder } from '../../platform/files/paths';
import { QUEUE_NAME } from '../../queue/queuePaths';
import type { Host } from './host';
import type { RedisAddress } from './redisAddress';

const NAME_LENGTH = 16;

/**
 * Returns the path that stands for the file of a queue in Redis on this machine. There is no such file; beside it are
 * outputs, NEXT_TASK.md and a copy of the queue's settings.
 */
export function localFileOf({ name }: RedisAddress, { env }: Pick<Host, 'env'>): string {
  const folder = hash('sha256', name).slice(0, NAME_LENGTH);
  return path.join(userStateFolder(env), 'redis', folder, QUEUE_NAME);
}

const COPIED =
  '# A copy of the settings in Redis. Change them with: claude-queue --redis URL settings FILE\n';

/** Keeps a copy of the settings of a queue in Redis, from which they are read. */
export async function keepSettings(file: string, settings: string): Promise<void> {
  const text = settings === '' ? '' : COPIED + settings;
  if (((await readIfThere(file))?.toString() ?? '') !== text) await replaceDurably(file, text);
}
