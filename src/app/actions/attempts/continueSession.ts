import { prepareContinuation } from '../../../claude/interactive/prepareContinuation';
import type { InteractiveStart } from '../../../claude/interactive/prepareInteractive';
import { Problem } from '../../../domain/problem';
import { placeOfAttempt } from '../../../domain/task/place';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';
import { requireUsable } from '../../present/installation';
import { refuseInsideAttempt } from './insideAttempt';
import { t } from '../../../platform/text/translate';

/** Program that continues a session in a terminal, without a shell. */
export interface ContinuedSession extends Pick<InteractiveStart, 'args' | 'env'> {
  readonly program: string;
  readonly folder: string;
}

/**
 * Prepares to continue the session of an attempt outside the queue, in the place of the attempt.
 * @throws Problem `no-output`, `no-such-task`, `already-running`, `claude-missing`, `not-paid`
 */
export async function continueSession(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
  number: number,
): Promise<ContinuedSession> {
  await refuseInsideAttempt(queueContext, queue, 'continue sessions');
  const { tasks } = await queue.read();
  const task = tasks.find(({ definition }) => definition.id === id);
  if (task === undefined) throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  if (task.claim !== undefined) throw new Problem({ reason: 'already-running', kind: 'running', id });
  const attempt = (await queue.attempts({ id })).find((one) => one.number === number);
  if (attempt?.power !== task.state.power || attempt.session === null)
    throw new Problem('no-output', t('Attempt {0} of task {1} has no session.', number, id));
  const claude = await queueContext.findClaude();
  requireUsable(claude);
  const start = await prepareContinuation(attempt.session, {
    billing: claude.billing,
    environment: { ...queueContext.host.env },
    processes: queueContext.host.processes,
  });
  return { ...start, program: claude.path, folder: placeOfAttempt(attempt, task.definition).folder };
}
