import * as vscode from 'vscode';
import { describeError } from '../../app/present/problems/problem';
import { DueNotices, type Look } from '../../app/notify/dueNotices';
import { NotifyRuns } from '../../app/notify/notifyRuns';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { Notice } from '../../domain/queue/notices';
import { callCommand } from '../callCommand';
import type { ExtensionServices } from '../state/extensionServices';
import { systemClock } from '../../platform/clock';
import {
  collectUntil,
  NOTICE_SETTINGS,
  planNotification,
  type NoticeButton,
  type NoticePlan,
} from './noticePlan';
import { viewModelOf, type QueueState } from '../state/queueState';
import type { OpenedQueue } from '../state/openedQueue';
import { addFolderName } from '../state/folderName';
import { showError, showInformation, showWarning } from '../messages';

type Parts = Pick<ExtensionServices, 'key' | 'name' | 'redis' | 'queueModel' | 'settings' | 'log'>;

/** Shows notifications, each notice in one window; none in an untrusted workspace. */
export function showNotifications(services: Parts): vscode.Disposable {
  const senders = new WeakMap<OpenedQueue, Senders>();
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  /** Reads the queue again at this time: notices are being collected until then, or the command is tried again. */
  const lookAgain = (at: number): void => {
    clearTimeout(timer);
    if (at === Infinity || isOver) return;
    const waitMs = Math.max(at - systemClock.now(), 0);
    timer = setTimeout(() => void services.queueModel.refresh(), waitMs);
  };
  const send = async (viewModel: QueueViewModel): Promise<void> => {
    const session = await services.queueModel.useQueue();
    if (session.window === null) return;
    const mine = senders.get(session) ?? createSenders(services, session);
    senders.set(session, mine);
    const look = { snapshot: viewModel.snapshot, world: viewModel.world };
    const { own, ofWorker, runs } = mine;
    await session.use(async () => {
      const collectedAt = await own.sendDue(look);
      const runsCommand = runs.isForWindow(look);
      if (runsCommand) await ofWorker.sendDue(look);
      const nextRunAt = runsCommand ? runs.nextRunAt(viewModel.snapshot.outbox) : Infinity;
      lookAgain(Math.min(collectedAt ?? Infinity, nextRunAt));
    });
    last = '';
  };
  const sendIn = (state: QueueState): void => {
    const viewModel = viewModelOf(state);
    if (viewModel === null || !vscode.workspace.isTrusted) return;
    send(viewModel).catch((error: unknown) => {
      // The next look sends what is due; the same failure is logged once.
      const why = `Notifications could not be sent and will be tried again: ${describeError(error)}`;
      if (why !== last) services.log.warn(why);
      last = why;
    });
  };
  sendIn(services.queueModel.state);
  const listening = services.queueModel.onDidChange(sendIn);
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  return vscode.Disposable.from(listening, { dispose: end });
}

interface Senders {
  /** Sends the window's own notices. */
  readonly own: DueNotices;
  /** Sends by the worker's channel. */
  readonly ofWorker: DueNotices;
  readonly runs: NotifyRuns;
}

function createSenders(services: Parts, { queueContext, queue }: OpenedQueue): Senders {
  const { settings, log } = services;
  const { host, machine, queueFile } = queueContext;
  const warn = (message: string): void => {
    log.warn(message);
  };
  const runs = new NotifyRuns({ env: host.env, clock: host.clock, queueFile, warn });
  const parts = {
    queue,
    machine,
    sender: { machine: machine.id, process: host.processes.self() },
    createId: host.createId,
  };
  const own = new DueNotices({
    ...parts,
    channel: 'editor',
    collectUntil: (due, look) => collectUntil(due, look, (kind) => settings.notifies(NOTICE_SETTINGS[kind])),
    send: (notices, look) => {
      show(services, notices, look);
      return Promise.resolve(notices);
    },
  });
  const ofWorker = new DueNotices({
    ...parts,
    channel: 'worker',
    send: (notices, look) => runs.send(look.world.settings.notify, notices, look),
  });
  return { own, ofWorker, runs };
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

/** Shows the notification; nothing waits for the answer. */
function show(services: Parts, notices: readonly Notice[], look: Look): void {
  const { settings } = services;
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
