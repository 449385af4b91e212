import * as vscode from 'vscode';
import { claimNext } from '../../../app/actions/attempts/claimNext';
import {
  type ManualOutcome,
  type ReturnedTask,
  returnTask,
} from '../../../app/actions/attempts/endUserClaim';
import { findRunning } from '../../../app/actions/attempts/userClaim';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import type { TaskId } from '../../../domain/task/task';
import type { Claim } from '../../../domain/queue/view';
import type { OpenedQueue } from '../../state/openedQueue';
import type { WindowServices } from '../../state/services';
import { chooseClaimed, idOf, type Chooser } from './taskTarget';
import { t } from '../../../platform/text/translate';
import { showInformation, showWarning } from '../../messages';

/** Claims the next task for the user, writes NEXT_TASK.md and shows it. */
export async function generateNextTask(services: Pick<WindowServices, 'queueModel'>): Promise<void> {
  const { file, taken } = await services.queueModel.change(async ({ queueContext, queue }) => {
    await refuseInsideAttempt(queueContext, queue, 'take tasks');
    return { file: queueContext.paths.nextTask, taken: await claimNext(queueContext, queue) };
  });
  if (taken.kind === 'idle') {
    void showInformation(t('There is no next task: {0}.', taken.why));
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** Title of each way to return a task, and its button if Claude is still open on it. */
const RETURNS = {
  success: { title: t('Mark Done'), end: t('End Claude and Mark Done') },
  error: { title: t('Mark Failed'), end: t('End Claude and Mark Failed') },
  unchanged: { title: t('Return to Queue'), end: t('End Claude and Return to Queue') },
} as const;

/** Services for returning a task. */
interface Handing extends Chooser {
  readonly interactiveAttempts: {
    settle(open: OpenedQueue, claim: Claim, work: () => Promise<void>): Promise<void>;
  };
}

/** Ends the user's claim of a task with this outcome; null returns it unchanged. */
export async function handTaskBack(
  services: Handing,
  target: unknown,
  outcome: ManualOutcome,
): Promise<void> {
  const { title, end } = RETURNS[outcome ?? 'unchanged'];
  const found = await findInHand(services, target, title);
  if (found === null) return;
  const { id, running } = found;
  if (running !== null && !(await confirmEnd(id, end))) return;
  await services.queueModel.change(async (open) => {
    const hand = async (): Promise<void> => {
      reportIfEdited(await returnTask(open.queueContext, open.queue, id, outcome));
      await closeTabsWithout(open);
    };
    return running === null ? hand() : services.interactiveAttempts.settle(open, running, hand);
  });
}

/** Returns the task that is meant, and its run if one is open in a terminal; null if there is none. */
async function findInHand(
  services: Chooser,
  target: unknown,
  title: string,
): Promise<{ readonly id: TaskId; readonly running: Claim | null } | null> {
  const session = await services.queueModel.useQueue();
  return session.use(async () => {
    const { queueContext, queue } = session;
    await refuseInsideAttempt(queueContext, queue, 'mark tasks');
    const id = idOf(target) ?? (await chooseClaimed(services, title));
    return id === null ? null : { id, running: await findRunning(queueContext, queue, id) };
  });
}

/** Asks whether to end Claude. After the claim ends, nobody would follow what it does in the terminal. */
async function confirmEnd(id: TaskId, button: string): Promise<boolean> {
  const detail = t('Once the task is no longer yours, the queue does not follow what Claude does there.');
  const message = t('Claude Code is still open on task {0} in a terminal. End it?', id);
  const chosen = await showWarning(message, { modal: true, detail }, button);
  return chosen === button;
}

function reportIfEdited({ id, wasEdited }: ReturnedTask): void {
  if (!wasEdited) return;
  void showInformation(
    t('The row of task {0} was edited while you had it; the new version is still to do.', id),
  );
}

/** Closes tabs of NEXT_TASK.md if the file is gone: they would show a task that is over. */
async function closeTabsWithout({ queueContext }: OpenedQueue): Promise<void> {
  const uri = vscode.Uri.file(queueContext.paths.nextTask);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const showing = tabs.filter(
    ({ input, isDirty }) =>
      !isDirty && input instanceof vscode.TabInputText && input.uri.fsPath === uri.fsPath,
  );
  if (showing.length > 0) await vscode.window.tabGroups.close(showing, true);
}
