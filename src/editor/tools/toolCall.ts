import * as vscode from 'vscode';
import { describeError } from '../../app/present/problems/problem';
import { Problem } from '../../domain/problem';
import type { OpenedQueue } from '../state/openedQueue';
import type { ExtensionServices } from '../state/extensionServices';

/**
 * Calls a tool on the queue, which stays open for it.
 * @throws Error with a message for the model, if the workspace is not trusted or the call fails
 */
export async function callTool<T>(
  { queueModel, log }: ExtensionServices,
  name: string,
  work: (session: OpenedQueue) => Promise<T>,
): Promise<T> {
  log.info(`Tool ${name}`);
  try {
    if (!vscode.workspace.isTrusted)
      throw new Problem(
        'untrusted',
        'This workspace is not trusted, so its queue is not available to tools. Ask the user to trust it.',
      );
    const session = await queueModel.useQueue();
    return await session.use(() => work(session));
  } catch (error) {
    log.warn(`Tool ${name}: ${describeError(error)}`);
    throw new Error(describeError(error), { cause: error });
  }
}

/** Returns the result of a tool with this text. */
export function toResult(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
