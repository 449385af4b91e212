import type * as vscode from 'vscode';
import { statusAsJson } from '../../app/present/statusJson';
import { takeStatus } from '../../app/viewModel/status';
import type { ExtensionServices } from '../state/extensionServices';
import { chooseTasks, describeOmitted } from './chosenTasks';
import { callTool, toResult } from './toolCall';
import { TOOLS } from './toolNames';

/** Returns the status of the queue as `claude-queue status --json` prints it, with at most 100 tasks. */
export function invokeStatus(services: ExtensionServices): Promise<vscode.LanguageModelToolResult> {
  return callTool(services, TOOLS.status, async ({ queueContext, queue }) => {
    const status = await takeStatus(queueContext, queue, false);
    const { tasks } = status.viewModel;
    const chosen = chooseTasks(tasks);
    const json = statusAsJson(status, queueContext.queueFile, (shown) => chosen.has(shown));
    const omitted = describeOmitted(tasks.length - chosen.size);
    return toResult(JSON.stringify(omitted === null ? json : { ...json, omitted }));
  });
}
