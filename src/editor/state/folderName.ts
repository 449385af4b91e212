import * as vscode from 'vscode';
import type { WindowServices } from './services';

/** Returns a text that starts with the folder of a queue if the window has several folders. */
export function addFolderName({ name, redis }: Pick<WindowServices, 'name' | 'redis'>, text: string): string {
  const isOneOfSeveral = redis === null && (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  return isOneOfSeveral ? `${name}: ${text}` : text;
}
