import { Problem } from '../../../domain/problem';
import { isFarFrom } from '../../../domain/queue/view';
import { RUN_MARK_VARIABLE } from '../../../platform/processes/processes';
import { t } from '../../../platform/text/translate';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';

/**
 * Whether this process was started by an attempt. Checks the mark in the environment. An attempt may hide that, so it
 * also checks the parent processes: their start marks, and the attempts on this machine that the queue has recorded.
 * `queue` is null if there is no queue any more.
 */
export async function isInsideAttempt(
  { host, machine }: QueueContext,
  queue: TaskQueue | null,
): Promise<boolean> {
  const claims = queue === null ? [] : (await queue.read()).claims;
  const { pid } = host.processes.self();
  const above = new Set(host.processes.ancestors(pid));
  return (
    host.env[RUN_MARK_VARIABLE] !== undefined ||
    host.processes.isInsideAttempt(pid) ||
    claims.some(
      ({ run, owner }) =>
        owner.kind === 'process' &&
        !isFarFrom({ machine: machine.id }, owner) &&
        run !== undefined &&
        above.has(run.pid),
    )
  );
}

/** Actions that an attempt may not take, with the text for its user. */
const REFUSALS = {
  'accept tasks': t('A running task may not accept tasks. Only you can, outside of an attempt.'),
  'add tasks': t('A running task may not add tasks. Only you can, outside of an attempt.'),
  'adopt a history': t('A running task may not adopt a history. Only you can, outside of an attempt.'),
  'allow tools': t('A running task may not allow tools. Only you can, outside of an attempt.'),
  'answer questions': t('A running task may not answer questions. Only you can, outside of an attempt.'),
  'approve tasks': t('A running task may not approve tasks. Only you can, outside of an attempt.'),
  'archive the history': t(
    'A running task may not archive the history. Only you can, outside of an attempt.',
  ),
  'cancel tasks': t('A running task may not cancel tasks. Only you can, outside of an attempt.'),
  'change a schedule': t('A running task may not change a schedule. Only you can, outside of an attempt.'),
  'change settings': t('A running task may not change settings. Only you can, outside of an attempt.'),
  'comment on tasks': t('A running task may not comment on tasks. Only you can, outside of an attempt.'),
  'continue sessions': t('A running task may not continue sessions. Only you can, outside of an attempt.'),
  'edit tasks': t('A running task may not edit tasks. Only you can, outside of an attempt.'),
  'import tasks': t('A running task may not import tasks. Only you can, outside of an attempt.'),
  'mark tasks': t('A running task may not mark tasks. Only you can, outside of an attempt.'),
  'move tasks': t('A running task may not move tasks. Only you can, outside of an attempt.'),
  'open the gate': t('A running task may not open the gate. Only you can, outside of an attempt.'),
  'pause the queue': t('A running task may not pause the queue. Only you can, outside of an attempt.'),
  'remove tasks': t('A running task may not remove tasks. Only you can, outside of an attempt.'),
  'retry tasks': t('A running task may not retry tasks. Only you can, outside of an attempt.'),
  'run tasks': t('A running task may not run tasks. Only you can, outside of an attempt.'),
  'schedule work': t('A running task may not schedule work. Only you can, outside of an attempt.'),
  'stop workers': t('A running task may not stop workers. Only you can, outside of an attempt.'),
  'take tasks': t('A running task may not take tasks. Only you can, outside of an attempt.'),
  'trust a queue file': t('A running task may not trust a queue file. Only you can, outside of an attempt.'),
  'undo changes': t('A running task may not undo changes. Only you can, outside of an attempt.'),
  'withdraw approvals': t('A running task may not withdraw approvals. Only you can, outside of an attempt.'),
  'write the queue to a file': t(
    'A running task may not write the queue to a file. Only you can, outside of an attempt.',
  ),
} as const;

/** An action that only the user may do. */
type UserAction = keyof typeof REFUSALS;

/**
 * Refuses an action that grants a row permissions if an attempt calls it: a task must not approve itself or others.
 * @throws Problem `inside-run`
 */
export async function refuseInsideAttempt(
  queueContext: QueueContext,
  queue: TaskQueue | null,
  what: UserAction,
): Promise<void> {
  if (!(await isInsideAttempt(queueContext, queue))) return;
  throw new Problem('inside-run', REFUSALS[what]);
}
