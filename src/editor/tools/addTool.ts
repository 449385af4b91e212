import * as vscode from 'vscode';
import type { ImportPlan } from '../../app/actions/rows/importPlan';
import { CHAT } from '../../account/approvals';
import { importTasks, prepareTask } from '../../app/actions/rows/importTasks';
import { Problem } from '../../domain/problem';
import { nameHere } from '../commands/tasks/addTask';
import type { ExtensionServices } from '../state/extensionServices';
import type { OpenedQueue } from '../state/openedQueue';
import { readAddInput } from './addInput';
import { describeAdded, describeAddition, TRUSTED } from './addTexts';
import { callTool, toResult } from './toolCall';
import { TOOLS } from './toolNames';
import { t } from '../../platform/text/translate';

/** Shows the user the whole task, and asks for confirmation. Changes nothing. */
export function prepareAdd(
  services: ExtensionServices,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  return callTool(services, TOOLS.add, async (session) => {
    const { rows } = await planTask(session, input);
    const message = describeAddition(rows[0]?.fields ?? {}, session.queueContext.queueFile);
    return {
      invocationMessage: t('Adding a task'),
      confirmationMessages: {
        title: t('Add a task to Claude Queue?'),
        message: new vscode.MarkdownString(message),
      },
    };
  });
}

/** Adds the task that a model asked for. It waits for the user's approval. */
export function invokeAdd(
  services: ExtensionServices,
  input: unknown,
): Promise<vscode.LanguageModelToolResult> {
  return callTool(services, TOOLS.add, async (session) => {
    const { queueContext, queue } = session;
    const plan = await planTask(session, input);
    const [id = 0] = await importTasks(queueContext, queue, { plan, chosen: plan.rows, from: CHAT });
    await services.queueModel.refresh();
    return toResult(describeAdded(id, queueContext.queueFile));
  });
}

/** Returns a plan with the one task. @throws Problem `usage` if it cannot be added, or would need no approval */
async function planTask({ queueContext, queue }: OpenedQueue, input: unknown): Promise<ImportPlan> {
  const { trusted } = await queueContext.openApprovals().read();
  if (trusted) throw new Problem('usage', TRUSTED);
  const cells = readAddInput(input);
  const plan = await prepareTask(queueContext, queue, { cells, folder: nameHere(queueContext) });
  const problems = plan.rows.flatMap((row) => row.problems);
  if (problems.length > 0) throw new Problem('usage', problems.join(' '));
  return plan;
}
