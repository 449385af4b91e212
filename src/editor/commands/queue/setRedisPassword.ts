import * as vscode from 'vscode';
import { Problem } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';
import { t } from '../../../platform/text/translate';

/** Asks for the password of Redis and keeps it in the editor's secret storage. @throws Problem `usage` */
export async function setRedisPassword({ redis }: ExtensionServices): Promise<void> {
  if (redis === null)
    throw new Problem('usage', t('The queue is not in Redis. Set its address in claudeQueue.redis first.'));
  const password = await vscode.window.showInputBox({
    title: t('Set Redis Password'),
    prompt: t(
      'Password for {0}. It is kept in the secret storage of the editor. Empty: remove it.',
      redis.address,
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (password !== undefined) await redis.setPassword(password);
}
