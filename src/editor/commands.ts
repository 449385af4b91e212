import * as vscode from 'vscode';
import { COMMANDS, commandId, READ_COMMANDS, type CommandName } from './commandIds';
import { findDiffTarget, type Review } from './changes/diffTarget';
import { isObject } from '../platform/text/shapes';
import type { ExtensionServices } from './state/extensionServices';
import type { Queues, WindowQueue } from './state/queues';
import { groupTargets, type TargetGroup } from './state/queueTarget';
import { showFailure } from './status/failures';
import { t } from '../platform/text/translate';

/**
 * Handler of a command; `target` is a row of the tree, a task's id, a line, or nothing. `targets` are all selected rows
 * where a menu was opened on one of them, else the target.
 */
type Handler = (services: ExtensionServices, target: unknown, targets: readonly unknown[]) => Promise<void>;

/** Handlers, each loaded on its first call. */
const HANDLERS: Readonly<Record<CommandName, Handler>> = {
  createQueue: async (services) => (await import('./commands/queue/createQueue')).createQueue(services),
  addTask: async (services) => (await import('./commands/tasks/addTask')).addTask(services),
  addTaskInForm: async (services) => (await import('./commands/form/openForm')).openAddForm(services),
  editTask: async (services, target) =>
    (await import('./commands/form/openForm')).openEditForm(services, target),
  addFromEditor: async (services) => (await import('./commands/form/addContext')).addFromEditor(services),
  addFromExplorer: async (services, _, targets) =>
    (await import('./commands/form/addContext')).addFromExplorer(services, targets),
  addFromProblem: async (services, target) =>
    (await import('./commands/form/addContext')).addFromProblem(services, target),
  addFromTerminal: async (services) => (await import('./commands/form/addContext')).addFromTerminal(services),
  start: async (services) => (await import('./commands/start/start')).start(services),
  startPage: async (services) => (await import('./commands/start/page/startPage')).showStartPage(services),
  stop: async (services) => (await import('./commands/start/control')).stop(services),
  hold: async (services) => (await import('./commands/start/control')).hold(services),
  resume: async (services) => (await import('./commands/start/control')).resume(services),
  signIn: async (services) => (await import('./commands/start/signIn')).signIn(services),
  tryNow: async (services) => (await import('./commands/start/control')).tryNow(services),
  approve: async (services, target) => (await import('./commands/tasks/approve')).approve(services, target),
  runNextTask: async (services) => (await import('./commands/start/runTask')).runNextTask(services),
  runTask: async (services, target) => (await import('./commands/start/runTask')).runTask(services, target),
  runTaskInteractively: async (services, target) =>
    (await import('./commands/start/runInteractively')).runInteractively(services, target),
  generateNextTask: async (services) =>
    (await import('./commands/tasks/nextTask')).generateNextTask(services),
  markDone: async (services, target) =>
    (await import('./commands/tasks/nextTask')).handTaskBack(services, target, 'success'),
  markFailed: async (services, target) =>
    (await import('./commands/tasks/nextTask')).handTaskBack(services, target, 'error'),
  giveBack: async (services, target) =>
    (await import('./commands/tasks/nextTask')).handTaskBack(services, target, null),
  retry: async (services, target) =>
    (await import('./commands/tasks/decide')).decide(services, target, 'retry'),
  answer: async (services, target) => (await import('./commands/tasks/answer')).answer(services, target),
  accept: async (services, target) =>
    (await import('./commands/tasks/decide')).decide(services, target, 'accept'),
  review: async (services) => (await import('./commands/review/review')).review(services),
  acceptVerified: async (services) =>
    (await import('./commands/review/acceptVerified')).acceptVerified(services),
  comment: async (services, target) => (await import('./commands/tasks/comment')).comment(services, target),
  allowTools: async (services, target) =>
    (await import('./commands/tasks/allowTools')).allowRefused(services, target),
  cancel: async (services, target) =>
    (await import('./commands/tasks/decide')).decide(services, target, 'cancel'),
  undoChanges: async (services, target) =>
    (await import('./commands/tasks/undoChanges')).undoChanges(services, target),
  approveSelected: async (services, _, targets) =>
    (await import('./commands/several/approveSelected')).approveSelected(services, targets),
  acceptSelected: async (services, _, targets) =>
    (await import('./commands/several/decideSelected')).decideSelected(services, targets, 'accept'),
  retrySelected: async (services, _, targets) =>
    (await import('./commands/several/decideSelected')).decideSelected(services, targets, 'retry'),
  cancelSelected: async (services, _, targets) =>
    (await import('./commands/several/decideSelected')).decideSelected(services, targets, 'cancel'),
  changePriority: async (services, _, targets) =>
    (await import('./commands/rows/changePriority')).changePriority(services, targets),
  moveUp: async (services, _, targets) =>
    (await import('./commands/rows/move')).moveTasks(services, targets, 'up'),
  moveDown: async (services, _, targets) =>
    (await import('./commands/rows/move')).moveTasks(services, targets, 'down'),
  moveToTop: async (services, _, targets) =>
    (await import('./commands/rows/move')).moveTasks(services, targets, 'top'),
  moveToBottom: async (services, _, targets) =>
    (await import('./commands/rows/move')).moveTasks(services, targets, 'bottom'),
  duplicate: async (services, target) =>
    (await import('./commands/rows/duplicateTask')).duplicate(services, target),
  importTasks: async (services) => (await import('./commands/rows/importTasks')).importTasks(services),
  exportTasks: async (services) => (await import('./commands/rows/exportTasks')).exportTasks(services),
  remove: async (services, target) =>
    (await import('./commands/rows/removeTasks')).removeTask(services, target),
  removeSelected: async (services, _, targets) =>
    (await import('./commands/rows/removeTasks')).removeSelected(services, targets),
  showChanges: async (services, target) =>
    (await import('./commands/tasks/showChanges')).showChanges(services, target),
  addComment: async ({ review }, target) => {
    (await import('./commands/comments/editDrafts')).addComment(review.drafts, target);
  },
  continueWithComments: async (services, target) =>
    (await import('./commands/comments/sendDrafts')).sendDrafts(services, target),
  editComment: ({ review }, target) => changeDraft(review, target, 'edit'),
  saveComment: ({ review }, target) => changeDraft(review, target, 'save'),
  cancelEdit: ({ review }, target) => changeDraft(review, target, 'cancel'),
  deleteComment: ({ review }, target) => changeDraft(review, target, 'delete'),
  showAttempt: async (services, target) =>
    (await import('./commands/tasks/showAttempt')).showAttempt(services, target),
  showOutput: async (services, target) =>
    (await import('./commands/tasks/showOutput')).showOutput(services, target),
  showWork: async (services) => (await import('./terminals/terminals')).showWork(services),
  openQueueFile: async (services) => (await import('./commands/tasks/showRow')).openQueueFile(services),
  showRow: async (services, target) => (await import('./commands/tasks/showRow')).showRow(services, target),
  showActions: async (services, target) =>
    (await import('./queueFile/lenses/showActions')).showActions(services, target),
  rehearse: async (services) => (await import('./pages/checks/rehearsalPage')).showRehearsalPage(services),
  showForecast: async (services) => (await import('./pages/tonight/tonightPage')).showTonight(services),
  checkMachine: async (services) => (await import('./pages/checks/checkPage')).showCheckPage(services),
  schedule: async (services) => (await import('./pages/schedule/schedulePage')).showSchedulePage(services),
  showHistory: async (services) => (await import('./pages/history/historyPage')).showHistoryPage(services),
  showUsage: async (services) => (await import('./pages/history/usagePage')).showUsagePage(services),
  showReport: async (services) => (await import('./pages/report/reportPage')).showReportPage(services),
  showMenu: async (services) => (await import('./status/showMenu')).showMenu(services),
  groupBy: async (services) => (await import('./commands/queue/arrangeTree')).groupBy(services),
  filter: async (services) => (await import('./commands/queue/arrangeTree')).filter(services),
  clearFilter: (services) => services.choices.set({ filter: '' }),
  showMore: async (services, target) =>
    (await import('./commands/queue/arrangeTree')).showMore(services, target),
  adoptHistory: async (services) => (await import('./commands/queue/adoptHistory')).adoptHistory(services),
  resetHistory: async (services) => (await import('./commands/queue/resetHistory')).resetHistory(services),
  setRedisPassword: async (services) =>
    (await import('./commands/queue/setRedisPassword')).setRedisPassword(services),
  showLog: (services) => {
    services.log.show();
    return Promise.resolve();
  },
};

async function changeDraft(
  { drafts }: Review,
  target: unknown,
  action: 'edit' | 'save' | 'cancel' | 'delete',
): Promise<void> {
  (await import('./commands/comments/editDrafts')).changeDraft(drafts, target, action);
}

/**
 * Refuses a command in an untrusted workspace. Menus hide it there, but it can also be called by its id.
 * @throws Problem `untrusted`
 */
async function requireTrust(): Promise<void> {
  if (vscode.workspace.isTrusted) return;
  const { Problem } = await import('../domain/problem');
  throw new Problem(
    'untrusted',
    t('This workspace is not trusted: its queue can be read, but nothing runs.'),
  );
}

/** Argument of a key binding for the rows of the tree that it acts on. */
const KEY = 'key';

/** Runs an action of the user. In an untrusted workspace only what reads. Shows why it failed. */
export async function runSafely(
  services: ExtensionServices,
  name: CommandName | 'drop',
  action: () => Promise<void>,
): Promise<void> {
  services.log.info(`Command ${name}`);
  try {
    if (!READ_COMMANDS.some((one) => one === name)) await requireTrust();
    await action();
  } catch (error) {
    await showFailure(services, name, error);
  }
}

/** Returns all rows that are meant: VS Code passes the clicked one, and the selected ones if it is among several. */
function targetsOf(target: unknown, selected: unknown): readonly unknown[] {
  if (Array.isArray(selected) && selected.length > 0) return selected;
  return target === undefined ? [] : [target];
}

/** Commands that concern the window, not one of its queues. */
const OF_WINDOW: readonly CommandName[] = [
  'groupBy',
  'filter',
  'clearFilter',
  'addComment',
  'continueWithComments',
  'editComment',
  'saveComment',
  'cancelEdit',
  'deleteComment',
  'showLog',
];

/** Returns the queue on which a command acts; null if the user chose none. @throws Problem `queue-missing` */
async function findQueue(
  queues: Queues,
  name: CommandName,
  { queue, targets: [target] }: TargetGroup,
): Promise<WindowQueue | null> {
  const [first, ...others] = queues.all;
  if (queue === null) {
    if (first === undefined || others.length === 0 || OF_WINDOW.includes(name)) return first ?? null;
    const { chooseQueue } = await import('./commands/queue/chooseQueue');
    return chooseQueue(queues, name, fileOf(name, target));
  }
  const found = queues.find(queue);
  if (found !== undefined) return found;
  const { Problem } = await import('../domain/problem');
  throw new Problem('queue-missing', t('The folder of this queue is no longer in the workspace.'));
}

/**
 * Returns the file or folder for which a command is called: that of the menu, quick fix or terminal, else the file in the
 * active editor.
 */
function fileOf(name: CommandName, target: unknown): string | null {
  const { uri = target } = isObject(target) ? target : {};
  const { activeTerminal, activeTextEditor } = vscode.window;
  const inTerminal = name === 'addFromTerminal' ? activeTerminal?.shellIntegration?.cwd : undefined;
  const found = uri instanceof vscode.Uri ? uri : (inTerminal ?? activeTextEditor?.document.uri);
  return found?.scheme === 'file' ? found.fsPath : null;
}

/** Registers every command of the manifest. */
export function registerCommands(
  queues: Queues,
  window: Pick<ExtensionServices, 'log' | 'findKeyTargets' | 'review'>,
): vscode.Disposable {
  const call = async (name: CommandName, group: TargetGroup): Promise<void> => {
    const queue = await findQueue(queues, name, group);
    if (queue === null) return;
    const { targets } = group;
    await runSafely(queue.services, name, () => HANDLERS[name](queue.services, targets[0], targets));
  };
  const callAll = async (name: CommandName, target: unknown, selected: unknown): Promise<void> => {
    const onDiff = await findDiffTarget(window.review, target);
    const others = target === KEY ? await window.findKeyTargets() : targetsOf(target, selected);
    const targets = onDiff === null ? others : [onDiff];
    const groups = groupTargets(targets);
    if (groups.length === 0) await call(name, { queue: null, targets: [] });
    // The rows of each queue one after another: the user may be asked for each.
    for (const group of groups) await call(name, group);
  };
  const register = (name: CommandName): vscode.Disposable =>
    vscode.commands.registerCommand(commandId(name), (target: unknown, selected: unknown) =>
      callAll(name, target, selected).catch((error: unknown) => showFailure(window, name, error)),
    );
  return vscode.Disposable.from(...COMMANDS.map(register));
}
