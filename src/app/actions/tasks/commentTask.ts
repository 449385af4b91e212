import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { redact } from '../../../platform/text/redact';
import { t } from '../../../platform/text/translate';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Gives a comment to the next attempt of a task, which is pending again at once and resumes in the session of its last
 * attempt. Returns whether a secret was removed before the journal recorded it.
 * @throws Problem `inside-run`, `usage`, `no-such-task`, `already-running`, `conflict`
 */
export async function commentTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
  comment: string,
): Promise<{ readonly isRedacted: boolean }> {
  await refuseInsideAttempt(queueContext, queue, 'comment on tasks');
  const given = comment.trim();
  if (given === '') throw new Problem('usage', t('The comment is empty.'));
  const text = redact(given);
  await queue.comment(id, text, queueContext.host.createId());
  return { isRedacted: text !== given };
}

/** Warning to the user after a secret was removed from a comment. */
export const REDACTED_COMMENT = t(
  'Something that looks like a secret was removed from the comment. Put it into a file or a variable that Claude can read, and name that.',
);

/** Says that a task resumes with the user's comments. */
export function describeCommented(id: TaskId, comments: number): string {
  return comments === 1
    ? t('Task {0} is pending again and resumes with your comment.', id)
    : t('Task {0} is pending again and resumes with your {1} comments.', id, comments);
}
