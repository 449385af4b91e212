import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { resolveLinks, userConfigFile } from '../../platform/files/paths';
import { QueuePaths, USUAL_QUEUE, type StatePaths } from '../../queue/queuePaths';
import type { EditorSettings } from './editorSettings';
import { OwnWindow } from '../unsaved/ownWindow';
import type { UnreadState } from './queueState';
import type { OpenedQueue } from './openedQueue';
import { RedisPlace } from './redisPlace';

/** Place of a queue. Neither is set in a window without a folder, unless the settings name a queue in Redis. */
export interface QueuePlace {
  /** Identifies the place among those of the window. */
  readonly key: string;
  /** Name for people: that of the folder. */
  readonly name: string;
  /** The queue file, whether it exists or not. */
  readonly queueFile: string | null;
  readonly redis: RedisPlace | null;
  /** Folder of the workspace; the user's home without one. */
  readonly folder: string;
}

/** Returns the queue in Redis that the settings name, or the place of a queue in each folder of the workspace. */
export function findQueues(
  { redis: address }: EditorSettings,
  secrets: vscode.SecretStorage,
): readonly QueuePlace[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const folder = folders[0]?.uri.fsPath ?? homedir();
  if (address !== '') {
    const redis = new RedisPlace(address, secrets);
    return [{ key: address, name: 'Redis', queueFile: null, redis, folder }];
  }
  if (folders.length === 0) return [{ key: '', name: '', queueFile: null, redis: null, folder }];
  const places = folders.map(({ uri: { fsPath }, name }) => ({
    ...{ key: fsPath, name, folder: fsPath, redis: null },
    queueFile: path.join(fsPath, USUAL_QUEUE),
  }));
  // Two folders may lead to one file.
  const files = places.map(({ queueFile }) => resolveLinks(queueFile));
  return places.filter((_, index) => files.indexOf(files[index] ?? '') === index);
}

/** Creates the marker of this window; null if it has no queue. */
export function createOwnWindow(place: QueuePlace, settings: EditorSettings): OwnWindow | null {
  const { queueFile, redis } = place;
  if (redis !== null) return new OwnWindow(() => findRedisState(redis, settings));
  if (queueFile === null) return null;
  return new OwnWindow(() => Promise.resolve(new QueuePaths(resolveLinks(queueFile)).state));
}

async function findRedisState({ address }: RedisPlace, settings: EditorSettings): Promise<StatePaths> {
  const { parseRedisAddress } = await import('../../app/context/redisAddress');
  const { localFileOf } = await import('../../app/context/redisFolder');
  return new QueuePaths(localFileOf(parseRedisAddress(address), { env: settings.environment() })).state;
}

/** Whether a document is the queue file, by whatever path it was opened. */
export function isQueueFile(uri: vscode.Uri, queueFile: string | null): boolean {
  if (queueFile === null || uri.scheme !== 'file') return false;
  if (uri.fsPath === queueFile) return true;
  // Called for every keystroke in any document, so links are resolved only for likely ones.
  return path.extname(uri.fsPath) === path.extname(queueFile) && isSameFile(uri.fsPath, queueFile);
}

/** Whether two paths lead to one existing file. */
export function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is missing or cannot be reached, so they differ.
    return false;
  }
}

/** Options for sessions of this window. */
export interface SessionPlace extends QueuePlace {
  readonly settings: EditorSettings;
  readonly ownWindow: OwnWindow;
  readonly log: vscode.LogOutputChannel;
}

/** Opens the queue as far as the workspace's trust allows. */
export async function openSession(
  { queueFile, redis, folder, settings, ownWindow, log }: SessionPlace,
  lastAccount: string | undefined,
): Promise<OpenedQueue> {
  const { isTrusted } = vscode.workspace;
  const { OpenedQueue: Session } = await import('./openedQueue');
  return Session.open({
    file: queueFile ?? USUAL_QUEUE,
    ...(redis === null ? {} : { redis: redis.address }),
    folder,
    env: { ...settings.environment(), ...(await redis?.environment()) },
    window: isTrusted ? await ownWindow.open() : null,
    lastAccount,
    warn: (message) => {
      log.warn(message);
    },
  });
}

/** Returns the settings files of the queue: its own, unless it is in Redis, and the user's. */
export function settingsFiles(
  { queueFile }: Pick<QueuePlace, 'queueFile'>,
  settings: EditorSettings,
): readonly string[] {
  const own = queueFile === null ? [] : [new QueuePaths(resolveLinks(queueFile)).settings];
  return [...own, userConfigFile(settings.environment())];
}

/**
 * Returns the names of the workers that run although the queue cannot be read. None are named if its history cannot, or
 * must not, be read.
 */
async function findUnreadWorkers(
  { queueFile, folder }: Pick<QueuePlace, 'queueFile' | 'folder'>,
  settings: EditorSettings,
  log: vscode.LogOutputChannel,
): Promise<readonly string[]> {
  if (queueFile === null) return [];
  const { isProblem } = await import('../../domain/problem');
  const { nameWorker } = await import('../../domain/queue/view');
  const { QueueContext } = await import('../../app/context/queueContext');
  const { createEditorHost } = await import('./editorHost');
  const host = createEditorHost(settings.environment(), folder, () => undefined);
  try {
    const owners = await new QueueContext({ queue: queueFile }, host).findLivingOwners();
    return owners.map(nameWorker);
  } catch (error) {
    if (!isProblem(error)) log.error('The history of the queue cannot be read', String(error));
    return [];
  }
}

/** Converts an error of reading the queue to the state to show; logs the same error once. */
export function explainUnread(
  place: Pick<QueuePlace, 'queueFile' | 'redis' | 'folder'>,
  settings: EditorSettings,
  log: vscode.LogOutputChannel,
): (error: unknown) => Promise<UnreadState> {
  let last = '';
  return async (error) => {
    const { isProblem } = await import('../../domain/problem');
    const { queueFile, redis } = place;
    const findWorkers = (): Promise<readonly string[]> => findUnreadWorkers(place, settings, log);
    if (isProblem(error, 'queue-missing')) {
      const isGone = queueFile !== null && new QueuePaths(resolveLinks(queueFile)).isFileGone;
      return isGone ? { kind: 'missing', isGone, workers: await findWorkers() } : { kind: 'missing' };
    }
    const { describeError } = await import('../../app/present/problems/problem');
    const message = describeError(error);
    if (message !== last) {
      log.error('The queue cannot be read', isProblem(error) || !(error instanceof Error) ? message : error);
      last = message;
    }
    const isOfSettings = isProblem(error, 'settings-invalid');
    const files = isOfSettings
      ? settingsFiles(place, settings).filter(existsSync)
      : [queueFile].filter((file) => file !== null);
    const failing = {
      kind: 'failing',
      message,
      files,
      isForeign: isProblem(error, 'state-foreign'),
    } as const;
    if (redis === null) return { ...failing, workers: await findWorkers() };
    if (isProblem(error, 'redis-away')) return { ...failing, redis: 'away' };
    const isRefused = isProblem(error, 'redis-refused') || isProblem(error, 'usage');
    return isRefused ? { ...failing, redis: 'refused' } : failing;
  };
}
