import * as vscode from 'vscode';
import { planNotice } from './deadlines';
import type { Desk } from './desk';
import { pictureOf } from './queueState';

const MEMORY_KEY = 'claudeQueue.toldDeadlines';

/** Tells once of a deadline that is about to be missed, and once when it is; a reload does not tell it again. */
export function tellDeadlines({ keeper, memory }: Pick<Desk, 'keeper' | 'memory'>): vscode.Disposable {
  let told = memory.get<readonly string[]>(MEMORY_KEY, []);
  return keeper.onDidChange((state) => {
    const picture = pictureOf(state);
    const notice = picture === null ? null : planNotice(picture, new Set(told));
    if (notice === null) return;
    told = notice.keys;
    void memory.update(MEMORY_KEY, told);
    void show(notice.message);
  });
}

async function show(message: string): Promise<void> {
  const choice = await vscode.window.showWarningMessage(message, 'Show Queue');
  if (choice !== undefined) await vscode.commands.executeCommand('claudeQueue.tasks.focus');
}
