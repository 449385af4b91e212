import * as vscode from 'vscode';
import { describeError } from '../../app/present/problems/problem';
import type { Look, DueNotices } from '../../app/notify/dueNotices';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { Notice } from '../../domain/queue/notices';
import { callCommand } from '../callCommand';
import type { ExtensionServices } from '../state/extensionServices';
import { systemClock } from '../../platform/clock';
import type { NoticeButton, NoticePlan } from './noticePlan';
import { viewModelOf } from '../state/queueState';
import type { OpenedQueue } from '../state/openedQueue';
import { addFolderName } from '../state/folderName';
import { showError, showInformation, showWarning } from '../messages';

type Parts = Pick<ExtensionServices, 'key' | 'name' | 'redis' | 'queueModel' | 'settings' | 'log'>;

/** Shows notifications, each notice in one window; none in an untrusted workspace. */
export function showNotifications(services: Parts): vscode.Disposable {
  const senders = new WeakMap<OpenedQueue, Promise<readonly DueNotices[]>>();
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  /** Reads the queue again at this time: notices are being collected until then. */
  const lookAgain = (at: number | null): void => {
    clearTimeout(timer);
    if (at === null || isOver) return;
    const waitMs = Math.max(at - systemClock.now(), 0);
    timer = setTimeout(() => void services.queueModel.refresh(), waitMs);
  };
  const send = async (viewModel: QueueViewModel): Promise<void> => {
    const session = await services.queueModel.useQueue();
    if (session.window === null) return;
    const mine = senders.get(session) ?? createSenders(services, session);
    senders.set(session, mine);
    const look = { snapshot: viewModel.snapshot, world: viewModel.world };
    const [own, ofWorker] = await mine;
    await session.use(async () => {
      lookAgain((await own?.sendDue(look)) ?? null);
      // Without a worker, a window runs the worker's notify command, if there is one.
      const isAlone = viewModel.snapshot.workers.length === 0;
      if (isAlone && viewModel.world.settings.notify.length > 0) await ofWorker?.sendDue(look);
    });
    last = '';
  };
  const listening = services.queueModel.onDidChange((state) => {
    const viewModel = viewModelOf(state);
    if (viewModel === null || !vscode.workspace.isTrusted) return;
    send(viewModel).catch((error: unknown) => {
      // The next look sends what is due; the same failure is logged once.
      const why = `Notifications could not be sent and will be tried again: ${describeError(error)}`;
      if (why !== last) services.log.warn(why);
      last = why;
    });
  });
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  return vscode.Disposable.from(listening, { dispose: end });
}

/** Creates the senders of the window's own notices and of the worker's channel. */
async function createSenders(
  services: Parts,
  { queueContext, queue }: OpenedQueue,
): Promise<readonly DueNotices[]> {
  const { DueNotices: Sender } = await import('../../app/notify/dueNotices');
  const { settings, log } = services;
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
  const { collectUntil, NOTICE_SETTINGS } = await import('./noticePlan');
  const own = new Sender({
    ...parts,
    channel: 'editor',
    collectUntil: (due, look) => collectUntil(due, look, (kind) => settings.notifies(NOTICE_SETTINGS[kind])),
    send: async (notices, look) => {
      await show(services, notices, look);
      return notices;
    },
  });
  const ofWorker = new Sender({
    ...parts,
    channel: 'worker',
    send: async (notices, look) => {
      const { runNotify } = await import('../../app/notify/notifyCommand');
      for (const notice of notices) await runNotify(look.world.settings.notify, notice, look, place);
      return notices;
    },
  });
  return [own, ofWorker];
}

interface Item extends vscode.MessageItem {
  readonly button: NoticeButton;
}

const SHOW: Readonly<
  Record<NoticePlan['severity'], (message: string, ...items: Item[]) => Thenable<Item | undefined>>
> = {
  information: showInformation,
  warning: showWarning,
  error: showError,
};

/** Resolves when the notification is shown, not when it is answered. */
async function show(services: Parts, notices: readonly Notice[], look: Look): Promise<void> {
  const { settings } = services;
  const { planNotification, NOTICE_SETTINGS } = await import('./noticePlan');
  const plan = planNotification(notices, look, (kind) => settings.notifies(NOTICE_SETTINGS[kind]));
  if (plan === null) return;
  const { message, buttons, severity } = plan;
  const items = buttons.map((button) => ({ title: button.title, button }));
  const shown = SHOW[severity](addFolderName(services, message), ...items);
  void shown.then((chosen) => (chosen === undefined ? undefined : press(services, chosen.button)));
}

async function press(services: Parts, { command, taskId, attempt }: NoticeButton): Promise<void> {
  if (command === 'showQueue') await vscode.commands.executeCommand('claudeQueue.tasks.focus');
  else await callCommand(services, command, attempt === undefined ? taskId : { taskId, attempt });
}
