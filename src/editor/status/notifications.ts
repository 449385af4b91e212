import * as vscode from 'vscode';
import type { Look, NoticeSender } from '../../app/notify/noticeSender';
import type { Picture } from '../../app/viewModel/queueViewModel';
import type { Notice } from '../../domain/queue/notices';
import { commandId } from '../commandIds';
import type { Desk } from '../state/extensionServices';
import type { NoticeButton } from './noticePlan';
import { pictureOf } from '../state/queueState';
import type { QueueSession } from '../state/session';

type Parts = Pick<Desk, 'keeper' | 'settings' | 'log'>;

/** Shows what the user is to be notified of, each notice in one window; nothing in a workspace that is not trusted. */
export function showNotifications(desk: Parts): vscode.Disposable {
  const senders = new WeakMap<QueueSession, Promise<readonly NoticeSender[]>>();
  let last = '';
  const send = async (picture: Picture): Promise<void> => {
    const session = await desk.keeper.useSession();
    if (session.window === null) return;
    const mine = senders.get(session) ?? createSenders(desk, session);
    senders.set(session, mine);
    const look = { snapshot: picture.snapshot, world: picture.world };
    const [own, ofWorker] = await mine;
    await session.use(async () => {
      await own?.sendDue(look);
      // Where no worker lives, a window does what a worker would do, if there is a command to run.
      const isAlone = picture.snapshot.workers.length === 0;
      if (isAlone && picture.world.settings.notify.length > 0) await ofWorker?.sendDue(look);
    });
    last = '';
  };
  return desk.keeper.onDidChange((state) => {
    const picture = pictureOf(state);
    if (picture === null || !vscode.workspace.isTrusted) return;
    send(picture).catch((error: unknown) => {
      // The next look sends what is due; the same failure is logged once.
      const why = `Notifications could not be sent and will be tried again: ${String(error)}`;
      if (why !== last) desk.log.warn(why);
      last = why;
    });
  });
}

/** The window's own notices, and those of the worker's channel. */
async function createSenders(
  { settings, log }: Parts,
  { site, queue }: QueueSession,
): Promise<readonly NoticeSender[]> {
  const { NoticeSender: Sender } = await import('../../app/notify/noticeSender');
  const { runNotify } = await import('../../app/notify/notifyCommand');
  const { host, machine, queueFile } = site;
  const warn = (message: string): void => {
    log.warn(message);
  };
  const place = { env: host.env, clock: host.clock, queueFile, warn };
  const parts = {
    queue,
    machine,
    sender: { machine: machine.id, process: host.processes.self() },
    createId: host.createId,
  };
  const own = new Sender({
    ...parts,
    channel: 'editor',
    send: async (notices, look) => {
      await show(notices, look, settings);
      return notices;
    },
  });
  const ofWorker = new Sender({
    ...parts,
    channel: 'worker',
    send: async (notices, look) => {
      for (const notice of notices) await runNotify(look.world.settings.notify, notice, look, place);
      return notices;
    },
  });
  return [own, ofWorker];
}

/** Comes back when the notification is shown, not when it is answered. */
async function show(notices: readonly Notice[], look: Look, settings: Desk['settings']): Promise<void> {
  const { planNotification, NOTICE_SETTINGS } = await import('./noticePlan');
  const plan = planNotification(notices, look, (kind) => settings.notifies(NOTICE_SETTINGS[kind]));
  if (plan === null) return;
  const { message, buttons, severity } = plan;
  const items = buttons.map((button) => ({ title: button.title, button }));
  const shown =
    severity === 'warning'
      ? vscode.window.showWarningMessage(message, ...items)
      : vscode.window.showInformationMessage(message, ...items);
  void shown.then((chosen) => (chosen === undefined ? undefined : press(chosen.button)));
}

async function press({ command, taskId }: NoticeButton): Promise<void> {
  if (command === 'showQueue') await vscode.commands.executeCommand('claudeQueue.tasks.focus');
  else await vscode.commands.executeCommand(commandId(command), ...(taskId === undefined ? [] : [taskId]));
}
