import * as vscode from 'vscode';
import { describeError } from '../../app/present/problems/problem';
import type { Look, DueNotices } from '../../app/notify/dueNotices';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { Notice } from '../../domain/queue/notices';
import { commandId } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';
import type { NoticeButton } from './noticePlan';
import { viewModelOf } from '../state/queueState';
import type { OpenedQueue } from '../state/openedQueue';

type Parts = Pick<ExtensionServices, 'queueModel' | 'settings' | 'log'>;

/** Shows notifications, each notice in one window; none in an untrusted workspace. */
export function showNotifications(services: Parts): vscode.Disposable {
  const senders = new WeakMap<OpenedQueue, Promise<readonly DueNotices[]>>();
  let last = '';
  const send = async (viewModel: QueueViewModel): Promise<void> => {
    const session = await services.queueModel.useQueue();
    if (session.window === null) return;
    const mine = senders.get(session) ?? createSenders(services, session);
    senders.set(session, mine);
    const look = { snapshot: viewModel.snapshot, world: viewModel.world };
    const [own, ofWorker] = await mine;
    await session.use(async () => {
      await own?.sendDue(look);
      // Without a worker, a window runs the worker's notify command, if there is one.
      const isAlone = viewModel.snapshot.workers.length === 0;
      if (isAlone && viewModel.world.settings.notify.length > 0) await ofWorker?.sendDue(look);
    });
    last = '';
  };
  return services.queueModel.onDidChange((state) => {
    const viewModel = viewModelOf(state);
    if (viewModel === null || !vscode.workspace.isTrusted) return;
    send(viewModel).catch((error: unknown) => {
      // The next look sends what is due; the same failure is logged once.
      const why = `Notifications could not be sent and will be tried again: ${describeError(error)}`;
      if (why !== last) services.log.warn(why);
      last = why;
    });
  });
}

/** Creates the senders of the window's own notices and of the worker's channel. */
async function createSenders(
  { settings, log }: Parts,
  { queueContext, queue }: OpenedQueue,
): Promise<readonly DueNotices[]> {
  const { DueNotices: Sender } = await import('../../app/notify/dueNotices');
  const { runNotify } = await import('../../app/notify/notifyCommand');
  const { host, machine, queueFile } = queueContext;
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

/** Resolves when the notification is shown, not when it is answered. */
async function show(
  notices: readonly Notice[],
  look: Look,
  settings: ExtensionServices['settings'],
): Promise<void> {
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
