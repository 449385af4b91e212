import { existsSync, realpathSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { resolveLinks, userConfigFile } from '../../platform/files/paths';
import { QueuePaths, USUAL_QUEUE } from '../../queue/queuePaths';
import type { EditorSettings } from './editorSettings';
import type { OwnWindow } from '../unsaved/ownWindow';
import type { UnreadState } from './queueState';
import type { OpenedQueue } from './openedQueue';

/** Returns the queue file of the workspace's first folder, whether it exists or not; null without a folder. */
export function findQueueFile(): string | null {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder === undefined ? null : path.join(folder.uri.fsPath, USUAL_QUEUE);
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
export interface SessionPlace {
  readonly queueFile: string;
  readonly settings: EditorSettings;
  readonly ownWindow: OwnWindow;
  readonly log: vscode.LogOutputChannel;
}

/** Opens the queue as far as the workspace's trust allows. */
export async function openSession(
  { queueFile, settings, ownWindow, log }: SessionPlace,
  lastAccount: string | undefined,
): Promise<OpenedQueue> {
  const { isTrusted } = vscode.workspace;
  const { OpenedQueue: Session } = await import('./openedQueue');
  return Session.open({
    file: queueFile,
    folder: new QueuePaths(queueFile).workspace,
    env: settings.environment(),
    window: isTrusted ? await ownWindow.open() : null,
    lastAccount,
    warn: (message) => {
      log.warn(message);
    },
  });
}

/** Returns the settings files of the queue: its own, and the user's. */
export function settingsFiles(queueFile: string, settings: EditorSettings): readonly string[] {
  return [new QueuePaths(resolveLinks(queueFile)).settings, userConfigFile(settings.environment())];
}

/** Converts an error of reading the queue to the state to show; logs the same error once. */
export function explainUnread(
  queueFile: string | null,
  settings: EditorSettings,
  log: vscode.LogOutputChannel,
): (error: unknown) => Promise<UnreadState> {
  let last = '';
  return async (error) => {
    const { isProblem } = await import('../../domain/problem');
    if (queueFile === null || isProblem(error, 'queue-missing')) return { kind: 'missing' };
    const { describeError } = await import('../../app/present/problems/problem');
    const message = describeError(error);
    if (message !== last) {
      log.error('The queue cannot be read', isProblem(error) || !(error instanceof Error) ? message : error);
      last = message;
    }
    const isOfSettings = isProblem(error, 'settings-invalid');
    const files = isOfSettings ? settingsFiles(queueFile, settings).filter(existsSync) : [queueFile];
    return { kind: 'failing', message, files, isForeign: isProblem(error, 'state-foreign') };
  };
}
