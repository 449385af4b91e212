import type { ProcessOwner } from '../domain/queue/view';
import type { ForeignHistory } from './foreignHistory';
import { readLivingWindows } from './file/editors/openEditors';
import { FileStore } from './file/fileStore';
import { ForeignFile, type ForeignOptions } from './file/journal/foreignFile';
import { findLivingOwners as findOwners } from './file/journal/livingOwners';
import { makeStateFolder as makeFolder } from './file/stateFolder';
import type { FileStoreOptions } from './file/storeOptions';
import { livenessOn } from './model/liveness';
import { ModelQueue } from './model/modelQueue';
import type { StatePaths } from './queuePaths';
import type { RedisQueueOptions } from './redis/redisQueue';
import type { RedisServer } from './redisServer';
import type { SharedQueue } from './sharedQueue';
import type { GateText } from './gateText';
import type { Machine, TaskQueue } from './taskQueue';

/** Opens the queue in a CSV file. @throws Problem `queue-missing`, `queue-unreadable` */
export async function openFileQueue(options: FileStoreOptions): Promise<TaskQueue> {
  return new ModelQueue(await FileStore.open(options), livenessOn(options.machine));
}

/** Opens a queue in Redis. @throws Problem `redis-away`, `redis-refused` */
export async function openRedisQueue(options: RedisQueueOptions): Promise<SharedQueue> {
  const { RedisQueue } = await import('./redis/redisQueue');
  return RedisQueue.open(options);
}

/** Opens the text that holds the gate of an account for all machines of a queue. It need not be closed. */
export async function openGateText(server: RedisServer, queue: string, account: string): Promise<GateText> {
  const [{ RedisGateText }, { RedisKeys }] = await Promise.all([
    import('./redis/redisGateText'),
    import('./redis/keys'),
  ]);
  return new RedisGateText(server, new RedisKeys(queue).gate(account));
}

/** Opens a history that `openFileQueue` refuses with `state-foreign`, to list, adopt or archive it. */
export function openForeignHistory(options: ForeignOptions): Promise<ForeignHistory> {
  return ForeignFile.open(options);
}

/** Returns the living processes of this machine that work on a queue, by its history alone: its file may be gone. */
export function findLivingOwners(options: ForeignOptions): Promise<readonly ProcessOwner[]> {
  return findOwners(options);
}

/** Returns whether a running editor has the queue open. */
export async function isOpenInEditor(state: StatePaths, machine: Machine): Promise<boolean> {
  const windows = await readLivingWindows(state, (process) => machine.isAlive(process));
  return windows.length > 0;
}

/** Makes the state folder if it does not exist, and keeps it out of git. @throws Problem `state-linked` */
export function makeStateFolder(state: StatePaths): void {
  makeFolder(state);
}
