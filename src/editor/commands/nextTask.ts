import * as vscode from 'vscode';
import { type HandedBack, handBack, nextTaskFile, takeNext } from '../../app/handOver';
import { refuseInsideRun } from '../../app/insideRun';
import type { Desk } from '../desk';
import { idOf } from './taskTarget';

/** Takes the next task for the person, writes NEXT_TASK.md and shows it. */
export async function generateNextTask(desk: Desk): Promise<void> {
  const { file, taken } = await desk.keeper.change(async ({ site, queue }) => {
    await refuseInsideRun(site, queue, 'take tasks');
    return { file: nextTaskFile(site), taken: await takeNext(site, queue) };
  });
  if ('shown' in taken) {
    void vscode.window.showInformationMessage(`There is no next task: ${taken.text || taken.shown}.`);
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** What became of the task that the person has; null gives it back as it was. */
export async function handTaskBack(
  desk: Pick<Desk, 'keeper'>,
  target: unknown,
  outcome: HandedBack,
): Promise<void> {
  const file = await desk.keeper.change(async ({ site, queue }) => {
    await refuseInsideRun(site, queue, 'say what became of tasks');
    await handBack(site, queue, idOf(target) ?? undefined, outcome);
    return nextTaskFile(site);
  });
  await closeTabsOf(file);
}

/** The file is gone: what still showed it would only tell of a task that is over. */
async function closeTabsOf(file: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const showing = tabs.filter(
    ({ input, isDirty }) => !isDirty && input instanceof vscode.TabInputText && input.uri.fsPath === file,
  );
  if (showing.length > 0) await vscode.window.tabGroups.close(showing, true);
}
