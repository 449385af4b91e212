import * as vscode from 'vscode';
import { requireUsable } from '../../../app/present/account';
import { approveTasks } from '../../../app/approval/approval';
import { refuseInsideRun } from '../../../app/actions/insideRun';
import type { Picture } from '../../../app/viewModel/queueViewModel';
import { describeStopping, findStop } from '../../../app/present/workers';
import type { Installation } from '../../../claude/installation/installation';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { systemClock } from '../../../platform/clock';
import type { Snapshot } from '../../../queue/taskQueue';
import type { Desk } from '../../state/extensionServices';
import type { WindowRule } from '../../state/editorSettings';
import { WINDOW_RULES } from '../../state/editorSettings';
import { tellWhile } from '../../status/progress';
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

/** How a rule of the editor is called on the command line; `goOn` needs no word. */
const WITH_WINDOWS: Readonly<Record<WindowRule, readonly string[]>> = {
  finishTask: ['--with-windows', 'after-task'],
  goOn: [],
  stopNow: ['--with-windows', 'now'],
};

/** Shows what would run and starts the worker, or shows the one that works already. */
export async function start(desk: Desk): Promise<void> {
  const snapshot = await (await desk.keeper.useSession()).queue.read();
  const { workers } = snapshot;
  if (workers.length > 0) {
    if (findStop(snapshot) === null) return showWork(desk);
    const isWanted = await offerStartAfter(desk, describeStopping('The worker is', snapshot));
    if (!isWanted) return;
  }
  if (!(await confirm(desk)) || !(await untilNoWorker(desk))) return;
  const args = ['work', '--alone', ...WITH_WINDOWS[desk.settings.whenLastWindowCloses]];
  const began = systemClock.now();
  // Who asks it to stop before it is there has been heard.
  await startProgram(desk, args, ({ workers: now, stop }) => now.length > 0 || (stop?.at ?? 0) >= began);
  await desk.keeper.refresh();
  await showWork(desk);
}

/** Says that the worker is stopping, and asks whether another one is to start after it. */
async function offerStartAfter(desk: Desk, sentence: string): Promise<boolean> {
  const [after, show] = ['Start Again After It', 'Show Claude at Work'];
  const answer = await vscode.window.showInformationMessage(sentence, after, show);
  if (answer === show) await showWork(desk);
  return answer === after;
}

/** Waits until a stopping worker has gone. False: the person called that off, or it is not stopping any more. */
async function untilNoWorker(desk: Desk): Promise<boolean> {
  const look = async (): Promise<Snapshot> => (await desk.keeper.useSession()).queue.read();
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
 * Lets a person read what would run, as whom and with which permissions; approves exactly what was listed. Claude Code,
 * its account and the settings are asked anew. False: they left. @throws Problem `claude-missing`,
 * `settings-invalid`, `not-running`
 */
export async function confirm(desk: Desk, only?: TaskId): Promise<boolean> {
  if (!(await saveFirst(desk)) || (await offerAdoption(desk)) === 'declined') return false;
  const installation = await tellWhile('Waiting for Claude Code…', askAnew(desk));
  for (;;) {
    if (desk.settings.permissionMode === 'ask' && !(await choosePermissions(desk, installation)))
      return false;
    const session = await desk.keeper.useSession();
    const picture = await session.look();
    if (only !== undefined) requireRunnable(picture, only);
    const plan = planStart(picture, installation, only);
    const choice = await showStartList(desk, session, plan, picture);
    if (choice === null) return false;
    if (await isMore(desk, choice, installation)) continue;
    return carryOut(desk, plan, choice);
  }
}

async function askAnew(desk: Desk): Promise<Installation> {
  await desk.keeper.reopen();
  const { site, queue } = await desk.keeper.useSession();
  await refuseInsideRun(site, queue, 'run tasks');
  await site.configureStrictly();
  const claude = await site.findClaude();
  requireUsable(claude);
  return claude;
}

/** @throws Problem `not-running` */
function requireRunnable(picture: Picture, only: TaskId): void {
  const why = whyNotNow(picture, only);
  if (why === null) return;
  const reason = why.text === '' ? why.shown : `${why.shown} (${why.text})`;
  throw new Problem('not-running', `Task ${String(only)} cannot run now: ${reason}.`);
}

/** Approves what was listed. False: the one task that was to run was changed meanwhile. */
async function carryOut(desk: Desk, plan: StartPlan, choice: StartChoice): Promise<boolean> {
  const isApproval = choice === 'approve-and-start';
  if (isApproval) await desk.keeper.change(({ site, queue }) => approveTasks(site, queue, plan.unapproved));
  const listed = [...(isApproval ? plan.unapproved : []), ...plan.approved];
  const changed = findChanged(listed, await (await desk.keeper.useSession()).look());
  if (changed.length === 0) return true;
  const waits =
    changed.length === 1
      ? 'was changed while the list stood open: it waits'
      : 'were changed while the list stood open: they wait';
  void vscode.window.showInformationMessage(`Task ${changed.join(', ')} ${waits} for your approval.`);
  return plan.only === null;
}

/** Whether the choice was about how, so that the list is shown again. */
async function isMore(desk: Desk, choice: StartChoice, claude: Installation): Promise<boolean> {
  if (choice === 'permissions') await choosePermissions(desk, claude);
  else if (choice === 'windows') await chooseWindowRule(desk);
  else return false;
  return true;
}

/** Asked once, at the first Start: how much Claude may do by itself. False: the person left. */
async function choosePermissions(desk: Desk, claude: Installation): Promise<boolean> {
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
    title: 'What may Claude do by itself in unattended runs, where a row does not say it?',
    placeHolder:
      'Permissions are never skipped; what is refused is shown, and the task waits for your review',
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return false;
  await desk.settings.setPermissionMode(chosen.mode);
  return true;
}

async function chooseWindowRule(desk: Desk): Promise<void> {
  const items = WINDOW_RULES.map((rule) => ({ label: WINDOW_RULE_WORDS[rule], rule }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'When the last window of the workspace closes',
  });
  if (chosen !== undefined) await desk.settings.setWhenLastWindowCloses(chosen.rule);
}
