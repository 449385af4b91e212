import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import type { Queues } from '../state/queues';
import { TOOLS } from './toolNames';
import { hasQueue } from '../state/queueState';
import { t } from '../../platform/text/translate';

/** Registers the tools that a language model in the editor's chat can call. None starts or approves anything. */
export function registerTools(queues: Queues): vscode.Disposable {
  // An editor that is built on VS Code may have no chat.
  if (!('lm' in vscode) || !('registerTool' in vscode.lm)) return new vscode.Disposable(() => undefined);
  return vscode.Disposable.from(
    vscode.lm.registerTool<unknown>(TOOLS.status, {
      invoke: async () => (await import('./statusTool')).invokeStatus(await findQueue(queues)),
      prepareInvocation: () => ({ invocationMessage: t('Reading the queue') }),
    }),
    vscode.lm.registerTool<unknown>(TOOLS.add, {
      invoke: async ({ input }) => (await import('./addTool')).invokeAdd(await findQueue(queues), input),
      prepareInvocation: async ({ input }) =>
        (await import('./addTool')).prepareAdd(await findQueue(queues), input),
    }),
  );
}

/**
 * Returns the queue of the first folder that has one: the same for every call, and named in what the user confirms.
 * @throws Problem `queue-missing`
 */
async function findQueue(queues: Queues): Promise<ExtensionServices> {
  await queues.awaitFirstReads();
  const found = queues.all.find(({ services }) => hasQueue(services.queueModel)) ?? queues.all[0];
  if (found !== undefined) return found.services;
  const { Problem } = await import('../../domain/problem');
  throw new Problem('queue-missing', 'No folder has a queue.');
}
