import type { Review } from '../changes/diffTarget';
import type { CommandName } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';

/**
 * Handler of a command; `target` is a row of the tree, a task's id, a line, or nothing. `targets` are all selected rows
 * where a menu was opened on one of them, else the target.
 */
type Handler = (services: ExtensionServices, target: unknown, targets: readonly unknown[]) => Promise<void>;

/** Handlers, each loaded on its first call. */
export const HANDLERS: Readonly<Record<CommandName, Handler>> = {
  createQueue: async (services) => (await import('./queue/createQueue')).createQueue(services),
  addTask: async (services) => (await import('./tasks/addTask')).addTask(services),
  addTaskInForm: async (services) => (await import('./form/openForm')).openAddForm(services),
  editTask: async (services, target) => (await import('./form/openForm')).openEditForm(services, target),
  addFromEditor: async (services) => (await import('./form/addContext')).addFromEditor(services),
  addFromExplorer: async (services, _, targets) =>
    (await import('./form/addContext')).addFromExplorer(services, targets),
  addFromProblem: async (services, target) =>
    (await import('./form/addContext')).addFromProblem(services, target),
  addFromTerminal: async (services) => (await import('./form/addContext')).addFromTerminal(services),
  start: async (services) => (await import('./start/start')).start(services),
  startPage: async (services) => (await import('./start/page/startPage')).showStartPage(services),
  stop: async (services) => (await import('./start/control')).stop(services),
  hold: async (services) => (await import('./start/control')).hold(services),
  resume: async (services) => (await import('./start/control')).resume(services),
  signIn: async (services) => (await import('./start/signIn')).signIn(services),
  tryNow: async (services) => (await import('./start/control')).tryNow(services),
  approve: async (services, target) => (await import('./tasks/approve')).approve(services, target),
  runNextTask: async (services) => (await import('./start/runTask')).runNextTask(services),
  runTask: async (services, target) => (await import('./start/runTask')).runTask(services, target),
  runTaskInteractively: async (services, target) =>
    (await import('./start/runInteractively')).runInteractively(services, target),
  generateNextTask: async (services) => (await import('./tasks/nextTask')).generateNextTask(services),
  markDone: async (services, target) =>
    (await import('./tasks/nextTask')).handTaskBack(services, target, 'success'),
  markFailed: async (services, target) =>
    (await import('./tasks/nextTask')).handTaskBack(services, target, 'error'),
  giveBack: async (services, target) =>
    (await import('./tasks/nextTask')).handTaskBack(services, target, null),
  retry: async (services, target) => (await import('./tasks/decide')).decide(services, target, 'retry'),
  answer: async (services, target) => (await import('./tasks/answer')).answer(services, target),
  accept: async (services, target) => (await import('./tasks/decide')).decide(services, target, 'accept'),
  review: async (services) => (await import('./review/review')).review(services),
  acceptVerified: async (services) => (await import('./review/acceptVerified')).acceptVerified(services),
  comment: async (services, target) => (await import('./tasks/comment')).comment(services, target),
  allowTools: async (services, target) => (await import('./tasks/allowTools')).allowRefused(services, target),
  cancel: async (services, target) => (await import('./tasks/decide')).decide(services, target, 'cancel'),
  undoChanges: async (services, target) =>
    (await import('./tasks/undoChanges')).undoChanges(services, target),
  withdrawApproval: async (services, _, targets) =>
    (await import('./several/withdrawApproval')).withdrawApproval(services, targets),
  // A menu of the view passes the focused row, which is not meant.
  approveAll: async (services) => (await import('./tasks/approve')).approve(services, undefined),
  approveSelected: async (services, _, targets) =>
    (await import('./several/approveSelected')).approveSelected(services, targets),
  acceptSelected: async (services, _, targets) =>
    (await import('./several/decideSelected')).decideSelected(services, targets, 'accept'),
  retrySelected: async (services, _, targets) =>
    (await import('./several/decideSelected')).decideSelected(services, targets, 'retry'),
  cancelSelected: async (services, _, targets) =>
    (await import('./several/decideSelected')).decideSelected(services, targets, 'cancel'),
  changePriority: async (services, _, targets) =>
    (await import('./rows/changePriority')).changePriority(services, targets),
  moveUp: async (services, _, targets) => (await import('./rows/move')).moveTasks(services, targets, 'up'),
  moveDown: async (services, _, targets) =>
    (await import('./rows/move')).moveTasks(services, targets, 'down'),
  moveToTop: async (services, _, targets) =>
    (await import('./rows/move')).moveTasks(services, targets, 'top'),
  moveToBottom: async (services, _, targets) =>
    (await import('./rows/move')).moveTasks(services, targets, 'bottom'),
  duplicate: async (services, target) => (await import('./rows/duplicateTask')).duplicate(services, target),
  importTasks: async (services) => (await import('./rows/importTasks')).importTasks(services),
  exportTasks: async (services) => (await import('./rows/exportTasks')).exportTasks(services),
  remove: async (services, target) => (await import('./rows/removeTasks')).removeTask(services, target),
  removeSelected: async (services, _, targets) =>
    (await import('./rows/removeTasks')).removeSelected(services, targets),
  showChanges: async (services, target) =>
    (await import('./tasks/showChanges')).showChanges(services, target),
  addComment: async ({ review }, target) => {
    (await import('./comments/editDrafts')).addComment(review.drafts, target);
  },
  continueWithComments: async (services, target) =>
    (await import('./comments/sendDrafts')).sendDrafts(services, target),
  editComment: ({ review }, target) => changeDraft(review, target, 'edit'),
  saveComment: ({ review }, target) => changeDraft(review, target, 'save'),
  cancelEdit: ({ review }, target) => changeDraft(review, target, 'cancel'),
  deleteComment: ({ review }, target) => changeDraft(review, target, 'delete'),
  showAttempt: async (services, target) =>
    (await import('./tasks/showAttempt')).showAttempt(services, target),
  showOutput: async (services, target) => (await import('./tasks/showOutput')).showOutput(services, target),
  showWork: async (services) => (await import('../terminals/terminals')).showWork(services),
  openQueueFile: async (services) => (await import('./tasks/showRow')).openQueueFile(services),
  showRow: async (services, target) => (await import('./tasks/showRow')).showRow(services, target),
  showActions: async (services, target) =>
    (await import('../queueFile/lenses/showActions')).showActions(services, target),
  rehearse: async (services) => (await import('../pages/checks/rehearsalPage')).showRehearsalPage(services),
  showForecast: async (services) => (await import('../pages/tonight/tonightPage')).showTonight(services),
  checkMachine: async (services) => (await import('../pages/checks/checkPage')).showCheckPage(services),
  schedule: async (services) => (await import('../pages/schedule/schedulePage')).showSchedulePage(services),
  showHistory: async (services) => (await import('../pages/history/historyPage')).showHistoryPage(services),
  showUsage: async (services) => (await import('../pages/history/usagePage')).showUsagePage(services),
  showReport: async (services) => (await import('../pages/report/reportPage')).showReportPage(services),
  showMenu: async (services) => (await import('../status/showMenu')).showMenu(services),
  groupBy: async (services) => (await import('./queue/arrangeTree')).groupBy(services),
  filter: async (services) => (await import('./queue/arrangeTree')).filter(services),
  clearFilter: (services) => services.choices.set({ filter: '' }),
  showMore: async (services, target) => (await import('./queue/arrangeTree')).showMore(services, target),
  adoptHistory: async (services) => (await import('./queue/adoptHistory')).adoptHistory(services),
  resetHistory: async (services) => (await import('./queue/resetHistory')).resetHistory(services),
  setRedisPassword: async (services) => (await import('./queue/setRedisPassword')).setRedisPassword(services),
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
  (await import('./comments/editDrafts')).changeDraft(drafts, target, action);
}
