import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions, type TaskAction } from '../../../app/viewModel/possibleActions';
import type { ShownState } from '../../../domain/reasons/reason';
import type { CommandName } from '../../commandIds';
import { describeCommand, type ListedCommands } from '../../state/listedCommands';

/** Command that is possible for a task. */
export interface TaskCommand {
  readonly command: CommandName;
  /** Title of the command in the manifest. */
  readonly title: string;
  /** Name of its icon in the manifest; null if it has none. */
  readonly icon: string | null;
  /** Whether it is a usual next step for a task in this state. */
  readonly isLikely: boolean;
}

/** Commands of each action. */
const COMMANDS_OF: Readonly<Record<TaskAction, readonly CommandName[]>> = {
  edit: ['editTask'],
  handBack: ['markDone', 'markFailed', 'giveBack'],
  runInteractively: ['runTaskInteractively'],
  run: ['runTask'],
  approve: ['approve'],
  withdraw: ['withdrawApproval'],
  answer: ['answer'],
  accept: ['accept'],
  comment: ['comment'],
  allow: ['allowTools'],
  retry: ['retry'],
  cancel: ['cancel'],
  undo: ['undoChanges'],
  showChanges: ['showChanges'],
  showOutput: ['showAttempt', 'showOutput'],
  changePriority: ['changePriority'],
  move: ['moveUp', 'moveDown'],
  remove: ['remove'],
};

/** Likely actions for a task in each state, the likeliest first. */
const LIKELY: Readonly<Record<ShownState, readonly TaskAction[]>> = {
  unapproved: ['approve', 'run', 'runInteractively'],
  ready: ['run', 'runInteractively'],
  scheduled: ['run', 'runInteractively'],
  retrying: ['run', 'runInteractively', 'showOutput'],
  waiting: ['run', 'runInteractively'],
  running: ['handBack', 'showOutput'],
  review: ['answer', 'showChanges', 'accept', 'comment', 'allow', 'retry', 'showOutput'],
  dead: ['showChanges', 'allow', 'retry', 'comment', 'showOutput'],
  invalid: [],
  blocked: ['runInteractively'],
  stuck: ['edit', 'runInteractively'],
  completed: ['showChanges', 'accept', 'comment', 'showOutput'],
  cancelled: ['retry'],
};

const OTHERS: readonly TaskAction[] = [
  'showChanges',
  'showOutput',
  'run',
  'runInteractively',
  'approve',
  'allow',
  'retry',
  'comment',
  'undo',
  'withdraw',
  'cancel',
];

/** Returns all commands that are possible for a task, the likely ones first. */
export function listTaskCommands(shown: TaskViewModel, listed: ListedCommands): readonly TaskCommand[] {
  const possible = possibleActions(shown);
  const likely = LIKELY[shown.reason.state].filter((action) => possible.has(action));
  const others = [...new Set([...OTHERS, ...possible])].filter(
    (action) => possible.has(action) && !likely.includes(action),
  );
  const isRunByWorker = shown.task.claim?.owner.kind === 'process';
  const toCommands = (actions: readonly TaskAction[], isLikely: boolean): TaskCommand[] =>
    actions.flatMap((action) => COMMANDS_OF[action].map((command) => toCommand(command, isLikely, listed)));
  return [
    ...toCommands(likely, true),
    ...(isRunByWorker ? [toCommand('showWork', false, listed)] : []),
    ...toCommands(others, false),
  ];
}

function toCommand(command: CommandName, isLikely: boolean, listed: ListedCommands): TaskCommand {
  return { command, ...describeCommand(command, listed), isLikely };
}
