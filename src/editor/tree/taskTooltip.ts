import * as vscode from 'vscode';
import { describeAttempt } from '../../app/present/attempt';
import type { TaskId } from '../../domain/task/task';
import { layOutMarkdown } from './attemptMarkdown';
import type { QueueModel } from '../state/queueModel';

/** Describes a task in a tooltip: its state, and all known facts of its latest attempt. */
export async function describeTask(
  queueModel: QueueModel,
  id: TaskId,
  lines: readonly string[],
): Promise<vscode.MarkdownString> {
  const session = await queueModel.useQueue();
  return session.use(async () => {
    const [newest] = await session.queue.attempts({ id, limit: 1 });
    const { timeZone } = await session.queueContext.configure();
    const facts = newest === undefined ? [] : describeAttempt(newest, timeZone);
    return new vscode.MarkdownString(layOutMarkdown(lines, facts));
  });
}
