import { openQuestion, type TaskView } from '../../domain/queue/view';
import type { TaskViewModel } from './queueViewModel';

/** What the user may do with a task. */
export type TaskAction =
  | 'handBack'
  | 'runInteractively'
  | 'run'
  | 'approve'
  | 'answer'
  | 'accept'
  | 'allow'
  | 'retry'
  | 'cancel'
  | 'showOutput';

/** What may be done with a task as it is: every menu, lens and list goes by this. */
export function possibleActions({ task, reason }: TaskViewModel): ReadonlySet<TaskAction> {
  const { claim, state } = task;
  const { shown } = reason;
  const isFree = claim === undefined;
  const isFinished = shown === 'completed' || shown === 'cancelled';
  const isOpen = isFree && state.status === 'pending' && shown !== 'dead';
  const can: Readonly<Record<TaskAction, boolean>> = {
    handBack: claim?.owner.kind === 'person',
    runInteractively: isOpen,
    run: isOpen && ['ready', 'scheduled', 'retrying', 'unapproved', 'waiting'].includes(shown),
    approve: shown === 'unapproved',
    answer: asks(task),
    accept: shown === 'review',
    allow: isFree && state.refused === true && !isFinished,
    retry: isFree && (isFinished || ['review', 'dead', 'retrying'].includes(shown)),
    // Who has a task by hand gives it back: cancelled, its session would continue without anybody.
    cancel: !isFinished && claim?.owner.kind !== 'person',
    showOutput: hasOutput(task),
  };
  return new Set(ACTIONS.filter((action) => can[action]));
}

function asks({ claim, state }: TaskView): boolean {
  return claim === undefined && openQuestion(state) !== undefined;
}

function hasOutput({ claim, state }: TaskView): boolean {
  return claim?.owner.kind === 'process' || (state.lastOutcome !== null && state.untold !== true);
}

const ACTIONS: readonly TaskAction[] = [
  'handBack',
  'runInteractively',
  'run',
  'approve',
  'answer',
  'accept',
  'allow',
  'retry',
  'cancel',
  'showOutput',
];

/** Whether the worker runs it sooner or later, once it is there and nothing is held. */
export function runsByItself({ reason, task }: TaskViewModel): boolean {
  // A repeating task is run again at its next time, whatever is decided about its last run.
  if (reason.shown === 'review') return task.state.status === 'pending';
  return ['ready', 'scheduled', 'blocked', 'retrying', 'waiting'].includes(reason.shown);
}
