import { isProblem, Problem, type ProblemReason } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { t } from '../../../platform/text/translate';
import type { TaskQueue, Verb } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import { endLeftoverAttempts, findLeftoverAttempts, type Report } from '../attempts/leftoverAttempts';
import { removeNextTask } from '../attempts/nextTaskFile';
import type { QueueContext } from '../../context/queueContext';

/** Decision about one task. */
interface TaskDecision {
  readonly id: TaskId;
  readonly verb: Verb;
  /** The attempt that the user looked at before they accepted it; null: they named only the task. */
  readonly attempt?: number | null;
}

/**
 * Carries out the user's decision about a task. For a cancelled task, ends the leftover processes of a dead worker, and
 * removes its NEXT_TASK.md. Returns false if processes could not be ended.
 * @throws Problem `inside-run`; `conflict` if the task has run again since that attempt
 */
export async function decideTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  { id, verb, attempt = null }: TaskDecision,
  report: Report,
): Promise<boolean> {
  await refuseInsideAttempt(queueContext, queue, `${verb} tasks`);
  if (verb === 'accept' && attempt !== null) await refuseNewer(queue, id, attempt);
  await queue.command(id, verb, queueContext.host.createId());
  if (verb !== 'cancel') return true;
  await removeNextTask(queueContext.paths.nextTask, [id]);
  return endLeftoverAttempts(queueContext, queue, report, id);
}

async function refuseNewer(queue: TaskQueue, id: TaskId, attempt: number): Promise<void> {
  const [last] = await queue.attempts({ id, limit: 1 });
  if (last === undefined || last.number === attempt) return;
  throw new Problem('conflict', t('Task {0} has changed. Review it again.', id));
}

/** Decision about several tasks. */
interface Decision {
  readonly ids: readonly TaskId[];
  readonly verb: Verb;
}

/** Result of a decision about several tasks. */
export interface Decided {
  /** Tasks about which it was carried out. */
  readonly done: readonly TaskId[];
  /** Whether no leftover process of them is running. */
  readonly isClean: boolean;
}

/**
 * Carries out the user's decision about several tasks, as `decideTask` does. Leaves out the tasks that have changed
 * meanwhile so that it is not possible any more.
 * @throws Problem `inside-run`
 */
export async function decideTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  { ids, verb }: Decision,
  report: Report,
): Promise<Decided> {
  await refuseInsideAttempt(queueContext, queue, `${verb} tasks`);
  const { createId } = queueContext.host;
  const ends = await Promise.allSettled(ids.map((id) => queue.command(id, verb, createId())));
  for (const end of ends) if (end.status === 'rejected' && !isAboutOneTask(end.reason)) throw end.reason;
  const done = ids.filter((_, index) => ends[index]?.status === 'fulfilled');
  if (verb !== 'cancel') return { done, isClean: true };
  await removeNextTask(queueContext.paths.nextTask, done);
  return { done, isClean: await endLeftoverOf(queueContext, queue, done, report) };
}

async function endLeftoverOf(
  queueContext: QueueContext,
  queue: TaskQueue,
  ids: readonly TaskId[],
  report: Report,
): Promise<boolean> {
  const left = findLeftoverAttempts(queueContext, await queue.read()).map(({ claim }) => claim.id);
  let isClean = true;
  for (const id of left) {
    if (ids.includes(id) && !(await endLeftoverAttempts(queueContext, queue, report, id))) isClean = false;
  }
  return isClean;
}

/** Reasons that concern one task and not the next. */
const OF_ONE_TASK: readonly ProblemReason[] = ['no-such-task', 'conflict', 'already-running', 'not-running'];

/** Whether an error of a call for one task says nothing about the same call for another. */
export function isAboutOneTask(error: unknown): boolean {
  return isProblem(error) && OF_ONE_TASK.includes(error.reason);
}
