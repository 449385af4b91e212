import type { Reason } from '../../domain/reasons/reason';
import { isUnreviewed, openQuestion, type TaskView } from '../../domain/queue/view';
import type { TaskViewModel } from './queueViewModel';

/** Action of the user on a task. */
export type TaskAction =
  | 'edit'
  | 'handBack'
  | 'runInteractively'
  | 'run'
  | 'approve'
  | 'withdraw'
  | 'answer'
  | 'accept'
  | 'comment'
  | 'allow'
  | 'retry'
  | 'cancel'
  | 'undo'
  | 'showChanges'
  | 'showOutput'
  | 'changePriority'
  | 'move'
  | 'remove';

/** Returns the actions that are possible for a task; every menu, lens and list uses it. */
export function possibleActions({ task, reason, place }: TaskViewModel): ReadonlySet<TaskAction> {
  const { claim } = task;
  const { state } = reason;
  const isFree = claim === undefined;
  const isFinished = ['completed', 'cancelled'].includes(state);
  // The user returns a task that they have; after a cancel its session would continue unnoticed.
  const mayRunByItself = !isFinished && claim?.owner.kind !== 'person';
  const isOpen = task.state.status === 'pending' && canStart(reason) && isFree;
  const can: Readonly<Record<TaskAction, boolean>> = {
    edit: true,
    handBack: claim?.owner.kind === 'person',
    runInteractively: isOpen,
    run: isOpen && ['ready', 'scheduled', 'retrying', 'unapproved', 'waiting'].includes(state),
    approve: state === 'unapproved',
    withdraw: mayRunByItself && !['unapproved', 'invalid'].includes(state),
    answer: asks(task),
    accept: isUnreviewed(task),
    comment: canComment(task),
    allow: isFree && task.state.refused === true && !isFinished,
    retry: isFree && (isFinished || ['review', 'dead', 'retrying'].includes(state)),
    cancel: mayRunByItself,
    undo: canUndo(task),
    showChanges: hasChanges(task),
    showOutput: hasOutput(task),
    changePriority: !isFinished,
    // The order of other tasks follows from what they wait for.
    move: place !== null,
    remove: isFree,
  };
  return new Set(ACTIONS.filter((action) => can[action]));
}

/** Whether this machine can start it, once the user has approved it. */
function canStart({ state, waitsFor }: Reason): boolean {
  return state !== 'dead' && (waitsFor !== 'elsewhere' || state === 'unapproved');
}

function asks({ claim, state }: TaskView): boolean {
  return claim === undefined && openQuestion(state) !== undefined;
}

/** Whether the user may comment on the last attempt: a question is answered instead. */
function canComment(task: TaskView): boolean {
  return task.claim === undefined && hasEnded(task) && !asks(task);
}

function canUndo(task: TaskView): boolean {
  return task.claim === undefined && hasChanges(task) && task.state.undone !== true;
}

function hasOutput(task: TaskView): boolean {
  return task.claim?.owner.kind === 'process' || hasEnded(task);
}

/** Whether an attempt that is still in the history has ended. */
function hasEnded({ state }: TaskView): boolean {
  return state.lastOutcome !== null && state.untold !== true;
}

/** Whether an attempt that is still in the history changed files. */
function hasChanges({ state }: TaskView): boolean {
  return state.changed === true && state.untold !== true;
}

const ACTIONS: readonly TaskAction[] = [
  'edit',
  'handBack',
  'runInteractively',
  'run',
  'approve',
  'withdraw',
  'answer',
  'accept',
  'comment',
  'allow',
  'retry',
  'cancel',
  'undo',
  'showChanges',
  'showOutput',
  'changePriority',
  'move',
  'remove',
];

/** Whether a worker of this machine will run the task without the user, once one is running and nothing is paused. */
export function runsByItself({ reason, task }: TaskViewModel): boolean {
  if (reason.waitsFor === 'elsewhere') return false;
  // A repeating task runs again at its next time, whatever is decided about its last attempt.
  if (reason.state === 'review') return task.state.status === 'pending';
  return ['ready', 'scheduled', 'blocked', 'retrying', 'waiting'].includes(reason.state);
}
