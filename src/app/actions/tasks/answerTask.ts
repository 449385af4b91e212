import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { openQuestion } from '../../../domain/queue/view';
import { redact } from '../../../platform/text/redact';
import { t } from '../../../platform/text/translate';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/** Returns the open question of a task. @throws Problem `no-such-task`, `conflict` if it asks none */
export async function findQuestion(queue: TaskQueue, id: TaskId): Promise<string> {
  const task = (await queue.read()).tasks.find(({ definition }) => definition.id === id);
  if (task === undefined) {
    throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  }
  const question = task.claim === undefined ? openQuestion(task.state) : undefined;
  if (question !== undefined) return question.text;
  throw new Problem('conflict', t('Task {0} asks no question.', id));
}

/** Answer of the user to a task's question. */
export interface Reply {
  readonly id: TaskId;
  readonly question: string;
  readonly text: string;
}

/**
 * Answers a task's question; the task then runs again in its session. Returns whether a secret was removed from the
 * answer before the journal recorded it.
 * @throws Problem `inside-run`, `usage`, `conflict`
 */
export async function answerTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  { id, question, text }: Reply,
): Promise<{ readonly isRedacted: boolean }> {
  await refuseInsideAttempt(queueContext, queue, 'answer questions');
  const given = text.trim();
  if (given === '') throw new Problem('usage', t('The answer is empty.'));
  const answer = redact(given);
  await queue.answer(id, { question, answer }, queueContext.host.createId());
  return { isRedacted: answer !== given };
}

/** Warning to the user after a secret was removed from an answer. */
export const REDACTED_WORDS = t(
  'Something that looks like a secret was removed from the answer. Put it into a file or a variable that Claude can read, and name that.',
);
