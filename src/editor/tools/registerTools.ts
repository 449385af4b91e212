import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import { TOOLS } from './toolNames';

/** Registers the tools that a language model in the editor's chat can call. None starts or approves anything. */
export function registerTools(services: ExtensionServices): vscode.Disposable {
  // An editor that is built on VS Code may have no chat.
  if (!('lm' in vscode) || !('registerTool' in vscode.lm)) return new vscode.Disposable(() => undefined);
  return vscode.Disposable.from(
    vscode.lm.registerTool<unknown>(TOOLS.status, {
      invoke: async () => (await import('./statusTool')).invokeStatus(services),
      prepareInvocation: () => ({ invocationMessage: 'Reading the queue' }),
    }),
    vscode.lm.registerTool<unknown>(TOOLS.add, {
      invoke: async ({ input }) => (await import('./addTool')).invokeAdd(services, input),
      prepareInvocation: async ({ input }) => (await import('./addTool')).prepareAdd(services, input),
    }),
  );
}
