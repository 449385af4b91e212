import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { REDIS_ADDRESS } from '../../platform/processes/environment';
import { replaceDurably } from '../../platform/files/files';
import { quote } from '../../platform/text/shellQuote';
import { t } from '../../platform/text/translate';

/** Part of the extension's context that the command needs. */
type Ground = Pick<vscode.ExtensionContext, 'environmentVariableCollection' | 'globalStorageUri'>;

/** Returns the path of the command that `offerCommand` writes. */
export function commandPath({ globalStorageUri }: Pick<Ground, 'globalStorageUri'>): string {
  return path.join(globalStorageUri.fsPath, 'bin', 'claude-queue');
}

/**
 * Adds `claude-queue` to the end of the PATH of the editor's terminals, so that an installed one comes first. It runs
 * on the editor's own Node.
 */
export async function offerCommand(
  { environmentVariableCollection: variables, globalStorageUri }: Ground,
  program: string,
): Promise<void> {
  const command = commandPath({ globalStorageUri });
  const folder = path.dirname(command);
  await fs.mkdir(folder, { recursive: true });
  await replaceDurably(command, composeScript(process.execPath, program), 0o755);
  variables.append('PATH', path.delimiter + folder);
}

/** Sets the queue of `claude-queue` in new terminals: the one in Redis that the window shows, if any. */
export function nameQueue(
  { environmentVariableCollection: variables }: Pick<Ground, 'environmentVariableCollection'>,
  address: string,
): void {
  variables.description =
    address === ''
      ? t('Puts the command claude-queue on the PATH.')
      : t('Puts the command claude-queue on the PATH, for the queue in Redis.');
  if (address === '') variables.delete(REDIS_ADDRESS);
  else variables.replace(REDIS_ADDRESS, address);
}

/** Composes a script that runs a program on a Node that may be an editor. */
export function composeScript(node: string, program: string): string {
  return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quote(node)} ${quote(program)} "$@"\n`;
}
