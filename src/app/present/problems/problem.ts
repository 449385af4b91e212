import { Fenced, Problem, type Fault } from '../../../domain/problem';
import { t } from '../../../platform/text/translate';
import type { Snapshot } from '../../../queue/taskQueue';
import { describeRowProblem, formatPath, describeWhere } from './rowProblem';

/** Describes any error to the user. */
export function describeError(error: unknown): string {
  if (error instanceof Problem) return error.fault === undefined ? error.message : describeFault(error.fault);
  if (error instanceof Fenced) {
    return t(
      'Task {0} was given to another owner or ended meanwhile. This attempt no longer counts.',
      error.id,
    );
  }
  return error instanceof Error ? error.message : String(error);
}

function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'unknown-task':
      return t('Task {0} does not exist, or its row is invalid.', fault.id);
    case 'other-question':
      return t('Task {0} is not asking this question. Nothing was answered.', fault.id);
    case 'asks-question':
      return t('Task {0} asks a question. Answer it, or retry the task, before you comment.', fault.id);
    case 'no-session':
      return t(
        'Task {0} has no session in which a comment could be read: it has not run as it is now, or was last done by hand.',
        fault.id,
      );
    case 'not-in-review':
      return t('Task {0} is {1}: there is nothing to accept.', fault.id, fault.status);
    case 'already-completed':
      return t('Task {0} is completed: there is nothing to cancel.', fault.id);
    case 'claim-without-task':
      return t('The history of the queue has a claim of task {0}, but no such task.', fault.id);
    case 'has-history':
      return t('This queue already has a history of its own. Nothing can be adopted.');
    case 'unread-rows': {
      const { first, vanished } = fault;
      const problem = t(
        'The queue is invalid, {0}: {1}',
        describeWhere(first.where),
        describeRowProblem(first),
      );
      return vanished === 0 ? problem : t('{0} {1} Restore the file.', problem, describeVanished(vanished));
    }
    case 'emptied':
      return t(
        'The queue file has no rows. {0} Restore the file. Rows that you removed count as removed after 20 s.',
        describeVanished(fault.vanished),
      );
    case 'still-needed':
      return describeDependencyFault(fault);
    case 'unknown-dependency':
    case 'own-dependency':
      return (fault.place === undefined ? '' : `${fault.place}: `) + describeDependencyFault(fault);
    default:
      return describeRunningFault(fault);
  }
}

/** Says that the file lost all its rows, and with them open tasks; null: it did not. */
export function describeEmptied({ emptied }: Pick<Snapshot, 'emptied'>): string | null {
  return emptied === 0
    ? null
    : t('The queue file has no rows. {0} To get them back, restore the file.', describeVanished(emptied));
}

function describeVanished(tasks: number): string {
  return tasks === 1 ? t('1 open task vanished.') : t('{0} open tasks vanished.', tasks);
}

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>;

function describeDependencyFault(
  fault: FaultOf<'still-needed' | 'unknown-dependency' | 'own-dependency'>,
): string {
  switch (fault.kind) {
    case 'still-needed':
      return t(
        'Task {0} depends on task {1}. Remove both, or change it with "claude-queue edit {0} --after …".',
        fault.dependent,
        fault.id,
      );
    case 'unknown-dependency':
      return t(
        'Task {0} would depend on {1}, which does not exist. Name a task that does.',
        fault.id,
        fault.missing,
      );
    case 'own-dependency':
      return t(
        'Task {0} would depend on itself: {1}. Remove one of these dependencies.',
        fault.id,
        formatPath(fault.path),
      );
  }
}

function describeRunningFault(
  fault: FaultOf<'running' | 'removes-running' | 'resets-running' | 'resets-worker' | 'other-machine'>,
): string {
  switch (fault.kind) {
    case 'running':
      return t('Task {0} is running. Wait for its end, or cancel it first.', fault.id);
    case 'removes-running':
      return t('Task {0} is running or in your hands. Cancel or release it first.', fault.id);
    case 'resets-running':
      return fault.ids.length === 1
        ? t('Task {0} is running. Stop it before a reset.', fault.ids.join(', '))
        : t('Tasks {0} are running. Stop them before a reset.', fault.ids.join(', '));
    case 'resets-worker':
      return t('Worker {0} is running on this queue. Stop it before a reset.', fault.worker);
    case 'other-machine':
      return t(
        'Task {0} is running on another machine ({1}). A queue file can be worked by one machine at a time. If that machine is gone permanently, "claude-queue release {0}" gives the task back.',
        fault.id,
        fault.machine,
      );
  }
}
