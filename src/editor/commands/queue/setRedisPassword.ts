import * as vscode from 'vscode';
import { Problem } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';

/** Asks for the password of Redis and keeps it in the editor's secret storage. @throws Problem `usage` */
export async function setRedisPassword({ redis }: ExtensionServices): Promise<void> {
  if (redis === null)
    throw new Problem('usage', 'The queue is not in Redis. Set its address in claudeQueue.redis first.');
  const password = await vscode.window.showInputBox({
    title: 'Set Redis Password',
    prompt: `Password for ${redis.address}. It is kept in the secret storage of the editor. Empty: remove it.`,
    password: true,
    ignoreFocusOut: true,
  });
  if (password !== undefined) await redis.setPassword(password);
}
