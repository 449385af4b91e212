import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { redact } from '../../../platform/text/redact';
import { t } from '../../../platform/text/translate';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/** Comment of the user on the work of a task. */
export interface Comment {
  readonly text: string;
  /** Place that it is about; absent: the work as a whole. */
  readonly place?: CommentedLines;
}

/** Lines of a file that a comment is about. */
export interface CommentedLines {
  /** Path from the working directory. */
  readonly path: string;
  /** First and last line, counted from 1. */
  readonly first: number;
  readonly last: number;
  /** Whether the lines are those before the attempt. */
  readonly isBefore: boolean;
  /** Text of the lines. */
  readonly quoted: string;
}

/**
 * Gives comments to the next attempt of a task, which is pending again at once and resumes in the session of its last
 * attempt. Returns whether a secret was removed before the journal recorded them.
 * @throws Problem `inside-run`, `usage`, `no-such-task`, `already-running`, `conflict`
 */
export async function commentTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
  comments: readonly Comment[],
): Promise<{ readonly isRedacted: boolean }> {
  await refuseInsideAttempt(queueContext, queue, 'comment on tasks');
  const given = composeComments(comments);
  if (given === '') throw new Problem('usage', t('The comment is empty.'));
  const text = redact(given);
  await queue.comment(id, text, queueContext.host.createId());
  return { isRedacted: text !== given };
}

/** Returns the comments as one text for Claude, in the order of their places. */
function composeComments(comments: readonly Comment[]): string {
  const sorted = comments.toSorted(({ place: one }, { place: other }) => comparePlaces(one, other));
  return sorted
    .map(({ text, place }) => [...(place === undefined ? [] : [composePlace(place)]), text.trim()])
    .filter((lines) => lines.at(-1) !== '')
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function comparePlaces(one: CommentedLines | undefined, other: CommentedLines | undefined): number {
  if (one === undefined || other === undefined)
    return (one === undefined ? 0 : 1) - (other === undefined ? 0 : 1);
  return one.path === other.path ? one.first - other.first : one.path < other.path ? -1 : 1;
}

/** Returns the place with its lines in the form of a Markdown quote. It is for Claude, and stays English. */
function composePlace({ path, first, last, isBefore, quoted }: CommentedLines): string {
  const lines = first === last ? `line ${String(first)}` : `lines ${String(first)} to ${String(last)}`;
  const when = isBefore ? ', before your change' : '';
  return [`${path}, ${lines}${when}:`, ...quoted.split('\n').map((line) => `> ${line}`)].join('\n');
}

/** Warning to the user after a secret was removed from a comment. */
export const REDACTED_COMMENT = t(
  'Something that looks like a secret was removed from the comment. Put it into a file or a variable that Claude can read, and name that.',
);
