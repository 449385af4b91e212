import * as vscode from 'vscode';
import { listCommands, type ListedCommands } from './listedCommands';
import type { WindowServices } from './services';

/** Returns the commands of this extension. */
export function findOwnCommands({ program }: Pick<WindowServices, 'program'>): ListedCommands {
  const own = vscode.extensions.all.find(({ extensionPath }) => program.startsWith(extensionPath));
  return own === undefined ? new Map() : listCommands(own.packageJSON);
}
