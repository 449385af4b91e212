import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { openQuestion } from '../../domain/queue/view';
import { redact } from '../../platform/text/redact';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueContext } from '../context/queueContext';

/** The question that a task asks now. @throws Problem `no-such-task`, `conflict` where it asks none */
export async function findQuestion(queue: TaskQueue, id: TaskId): Promise<string> {
  const task = (await queue.read()).tasks.find(({ definition }) => definition.id === id);
  if (task === undefined) {
    throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  }
  const question = task.claim === undefined ? openQuestion(task.state) : undefined;
  if (question !== undefined) return question.text;
  throw new Problem('conflict', `Task ${String(id)} asks no question.`);
}

/** A question of a task's with the user's words. */
export interface Reply {
  readonly id: TaskId;
  readonly question: string;
  readonly text: string;
}

/**
 * Answers the question of a task, which then runs again in its session. Returns whether a secret was removed from the answer,
 * which the queue's journal keeps. @throws Problem `inside-run`, `usage`, `conflict`
 */
export async function answerTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  { id, question, text }: Reply,
): Promise<{ readonly isRedacted: boolean }> {
  await refuseInsideRun(queueContext, queue, 'answer questions');
  const given = text.trim();
  if (given === '') throw new Problem('usage', 'The answer is empty.');
  const answer = redact(given);
  await queue.answer(id, { question, answer }, queueContext.host.createId());
  return { isRedacted: answer !== given };
}

/** What the user must know about an answer from which a secret was removed. */
export const REDACTED_WORDS =
  'Something that looks like a secret was removed from the answer. Put it into a file or a variable that Claude can read, and name that.';
