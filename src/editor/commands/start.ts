import * as vscode from 'vscode';
import { approveTasks } from '../../app/approval';
import { refuseInsideRun } from '../../app/insideRun';
import { offersMode } from '../../claude/installation';
import { Problem } from '../../domain/problem';
import type { Desk } from '../desk';
import type { WindowRule } from '../editorSettings';
import { WINDOW_RULES } from '../editorSettings';
import type { QueueSession } from '../session';
import { PERMISSION_WORDS, planStart, WINDOW_RULE_WORDS } from '../startPlan';
import { showWork } from '../terminals';
import { startProgram } from '../workerProcess';
import { showStartList, type StartChoice } from './startList';

/** How a rule of the editor is called on the command line; `goOn` needs no word. */
const WITH_WINDOWS: Readonly<Record<WindowRule, readonly string[]>> = {
  finishTask: ['--with-windows', 'after-task'],
  goOn: [],
  stopNow: ['--with-windows', 'now'],
};

/** Shows what would run and starts the worker, or shows the one that works already. */
export async function start(desk: Desk): Promise<void> {
  const session = await desk.keeper.useSession();
  if ((await session.queue.read()).workers.length > 0) return showWork(desk);
  if (!(await confirm(desk, session))) return;
  const fresh = await desk.keeper.useSession();
  const args = ['work', '--alone', ...WITH_WINDOWS[desk.settings.whenLastWindowCloses]];
  await startProgram(desk, fresh, args, async () => (await fresh.queue.read()).workers.length > 0);
  await desk.keeper.refresh();
  await showWork(desk);
}

/**
 * Lets a person read what would run, as whom and with which permissions; approves exactly what was listed. False: they
 * left. @throws Problem `claude-missing`, `not-signed-in`
 */
export async function confirm(desk: Desk, session: QueueSession, only?: number): Promise<boolean> {
  await refuseInsideRun(session.site, session.queue, 'run tasks');
  for (;;) {
    const { site } = await desk.keeper.useSession();
    const installation = await site.findClaude();
    if (desk.settings.permissionMode === 'ask' && !(await choosePermissions(desk, installation.path)))
      return false;
    const picture = await (await desk.keeper.useSession()).look();
    const plan = planStart(picture, installation, only);
    if (plan.unapproved.length + plan.approved.length === 0 && only !== undefined) {
      const shown = picture.tasks.find(({ task }) => task.definition.id === only)?.reason;
      throw new Problem('not-running', `Task ${String(only)} cannot run: ${describe(shown)}.`);
    }
    const choice = await showStartList(desk, plan, picture.snapshot.lines);
    if (choice === null) return false;
    if (choice === 'approve-and-start') {
      await desk.keeper.change(({ site: now, queue }) => approveTasks(now, queue, plan.unapproved));
    }
    if (!(await isMore(desk, choice, installation.path))) return true;
  }
}

function describe(reason: { readonly shown: string; readonly text: string } | undefined): string {
  if (reason === undefined) return 'its row cannot be understood';
  return reason.text === '' ? reason.shown : reason.text;
}

/** Whether the choice was about how, so that the list is shown again. */
async function isMore(desk: Desk, choice: StartChoice, claude: string): Promise<boolean> {
  if (choice === 'permissions') await choosePermissions(desk, claude);
  else if (choice === 'windows') await chooseWindowRule(desk);
  else return false;
  return true;
}

/** Asked once, at the first Start: how much Claude may do by itself. False: the person left. */
async function choosePermissions(desk: Desk, claude: string): Promise<boolean> {
  const hasAuto = await offersMode(claude, 'auto', { ...desk.settings.environment() });
  const modes = [...(hasAuto ? (['auto'] as const) : []), 'acceptEdits', 'manual', 'plan'] as const;
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
