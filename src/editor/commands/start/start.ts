import * as vscode from 'vscode';
import { requireUsable } from '../../../app/present/installation';
import { approveTasks } from '../../../app/approval/approval';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { describeStopping, findStop } from '../../../app/present/workers';
import type { Installation } from '../../../claude/installation/installation';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { systemClock } from '../../../platform/clock';
import type { Snapshot } from '../../../queue/taskQueue';
import type { ExtensionServices } from '../../state/extensionServices';
import { type WindowRule, WINDOW_RULES } from '../../state/editorSettings';
import { showProgress } from '../../status/progress';
import {
  findChanged,
  PERMISSION_WORDS,
  planStart,
  type StartPlan,
  whyNotNow,
  WINDOW_RULE_WORDS,
} from '../../state/startPlan';
import { showWork } from '../../terminals/terminals';
import { startProgram } from '../../terminals/workerProcess';
import { offerAdoption } from '../queue/offerAdoption';
import { saveFirst } from '../tasks/saveFirst';
import { showStartList, type StartChoice } from './startList';

/** Options of the command line for each rule of the editor; `goOn` needs none. */
const WITH_WINDOWS: Readonly<Record<WindowRule, readonly string[]>> = {
  finishTask: ['--with-windows', 'after-task'],
  goOn: [],
  stopNow: ['--with-windows', 'now'],
};

/** Shows what would run and starts the worker, or shows the one that is already running. */
export async function start(services: ExtensionServices): Promise<void> {
  const snapshot = await (await services.queueModel.useQueue()).queue.read();
  const { workers } = snapshot;
  if (workers.length > 0) {
    if (findStop(snapshot) === null) return showWork(services);
    const isWanted = await offerStartAfter(services, describeStopping('The worker is', snapshot));
    if (!isWanted) return;
  }
  if (!(await confirm(services)) || !(await untilNoWorker(services))) return;
  const args = ['work', '--alone', ...WITH_WINDOWS[services.settings.whenLastWindowCloses]];
  const startedAt = systemClock.now();
  // A stop request that came before the worker was there has been heard.
  await startProgram(
    services,
    args,
    ({ workers: now, stop }) => now.length > 0 || (stop?.at ?? 0) >= startedAt,
  );
  await services.queueModel.refresh();
  await showWork(services);
}

/** Says that the worker is stopping, and asks whether to start another one after it. */
async function offerStartAfter(services: ExtensionServices, sentence: string): Promise<boolean> {
  const [after, show] = ['Start Again After It', 'Show Worker Terminal'];
  const answer = await vscode.window.showInformationMessage(sentence, after, show);
  if (answer === show) await showWork(services);
  return answer === after;
}

/** Waits until a stopping worker has ended. Returns false if the user cancelled, or if it is not stopping any more. */
async function untilNoWorker(services: ExtensionServices): Promise<boolean> {
  const look = async (): Promise<Snapshot> => (await services.queueModel.useQueue()).queue.read();
  if (findStop(await look()) === null) return true;
  const location = vscode.ProgressLocation.Notification;
  const title = 'Starts once the worker has stopped';
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_, cancelled) => {
    while (!cancelled.isCancellationRequested) {
      if ((await look()).workers.length === 0) return true;
      await systemClock.sleep(LOOK_AGAIN_MS);
    }
    return false;
  });
}

const LOOK_AGAIN_MS = 500;

/**
 * Shows what would run, as whom and with which permissions, and approves exactly what was listed. Asks Claude Code
 * again for its account, and reads the settings again. Returns false if the user left.
 * @throws Problem `claude-missing`, `settings-invalid`, `not-running`
 */
export async function confirm(services: ExtensionServices, only?: TaskId): Promise<boolean> {
  if (!(await saveFirst(services)) || (await offerAdoption(services)) === 'declined') return false;
  const installation = await showProgress('Waiting for Claude Code…', askAnew(services));
  for (;;) {
    if (services.settings.permissionMode === 'ask' && !(await choosePermissions(services, installation)))
      return false;
    const session = await services.queueModel.useQueue();
    const viewModel = await session.look();
    if (only !== undefined) requireRunnable(viewModel, only);
    const plan = planStart(viewModel, installation, only);
    const choice = await showStartList(services, session, plan, viewModel);
    if (choice === null) return false;
    if (await isMore(services, choice, installation)) continue;
    return carryOut(services, plan, choice);
  }
}

async function askAnew(services: ExtensionServices): Promise<Installation> {
  await services.queueModel.reopen();
  const { queueContext, queue } = await services.queueModel.useQueue();
  await refuseInsideAttempt(queueContext, queue, 'run tasks');
  await queueContext.configureStrictly();
  const claude = await queueContext.findClaude();
  requireUsable(claude);
  return claude;
}

/** Refuses a task that cannot run now. @throws Problem `not-running` */
function requireRunnable(viewModel: QueueViewModel, only: TaskId): void {
  const why = whyNotNow(viewModel, only);
  if (why === null) return;
  const reason = why.text === '' ? why.shown : `${why.shown} (${why.text})`;
  throw new Problem('not-running', `Task ${String(only)} cannot run now: ${reason}.`);
}

/** Approves what was listed. Returns false if the one task to run was changed meanwhile. */
async function carryOut(services: ExtensionServices, plan: StartPlan, choice: StartChoice): Promise<boolean> {
  const isApproval = choice === 'approve-and-start';
  if (isApproval)
    await services.queueModel.change(({ queueContext, queue }) =>
      approveTasks(queueContext, queue, plan.unapproved),
    );
  const listed = [...(isApproval ? plan.unapproved : []), ...plan.approved];
  const changed = findChanged(listed, await (await services.queueModel.useQueue()).look());
  if (changed.length === 0) return true;
  const waits =
    changed.length === 1
      ? 'changed while the list was open: it waits'
      : 'changed while the list was open: they wait';
  void vscode.window.showInformationMessage(`Task ${changed.join(', ')} ${waits} for your approval.`);
  return plan.only === null;
}

/** Carries out a choice of settings; returns whether it was one, so that the list is shown again. */
async function isMore(
  services: ExtensionServices,
  choice: StartChoice,
  claude: Installation,
): Promise<boolean> {
  if (choice === 'permissions') await choosePermissions(services, claude);
  else if (choice === 'windows') await chooseWindowRule(services);
  else return false;
  return true;
}

/** Asks for the default permission mode: at the first Start, or from the list. Returns false if the user left. */
async function choosePermissions(services: ExtensionServices, claude: Installation): Promise<boolean> {
  const offered = (await claude.readOffers()).modes;
  const modes = [
    ...(offered.has('auto') ? (['auto'] as const) : []),
    'acceptEdits',
    'manual',
    'plan',
  ] as const;
  const items = modes.map((mode, index) => ({
    label: mode,
    description: `${PERMISSION_WORDS[mode].replace(` (${mode})`, '')}${index === 0 ? ' · recommended' : ''}`,
    mode,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Default permission mode for unattended attempts',
    placeHolder:
      'Permissions are never skipped. Refused actions are shown, and the task waits for your review',
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return false;
  await services.settings.setPermissionMode(chosen.mode);
  return true;
}

async function chooseWindowRule(services: ExtensionServices): Promise<void> {
  const items = WINDOW_RULES.map((rule) => ({ label: WINDOW_RULE_WORDS[rule], rule }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'When the last window of the workspace closes',
  });
  if (chosen !== undefined) await services.settings.setWhenLastWindowCloses(chosen.rule);
}
