import { Problem } from '../../../domain/problem';
import { RUN_MARK_VARIABLE } from '../../../platform/processes/processes';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';

/**
 * Whether this process was started by an attempt. Checks the mark in the environment. An attempt may hide that, so it
 * also checks the parent processes: their start marks, and the attempts that this queue has recorded. `queue` is null
 * if there is no queue any more.
 */
export async function isInsideAttempt({ host }: QueueContext, queue: TaskQueue | null): Promise<boolean> {
  const claims = queue === null ? [] : (await queue.read()).claims;
  const { pid } = host.processes.self();
  const above = new Set(host.processes.ancestors(pid));
  return (
    host.env[RUN_MARK_VARIABLE] !== undefined ||
    host.processes.isInsideAttempt(pid) ||
    claims.some(({ run, owner }) => owner.kind === 'process' && run !== undefined && above.has(run.pid))
  );
}

/**
 * Refuses an action that grants a row permissions if an attempt calls it: a task must not approve itself or others.
 * @throws Problem `inside-run`
 */
export async function refuseInsideAttempt(
  queueContext: QueueContext,
  queue: TaskQueue | null,
  what: string,
): Promise<void> {
  if (!(await isInsideAttempt(queueContext, queue))) return;
  throw new Problem('inside-run', `A running task may not ${what}. Only you can, outside of an attempt.`);
}
