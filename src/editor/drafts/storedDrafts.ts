import { fields, isCount, isText, listOf, orAbsent, pairOf } from '../../platform/text/shapes';

/** Thread of comments that are not sent, as the workspace remembers it. */
export interface StoredThread {
  /** URI of the version that it is about. */
  readonly uri: string;
  /** First and last line, from 0. */
  readonly lines: readonly [number, number];
  readonly comments: readonly StoredComment[];
}

/** Comment that is not sent, and the lines as the user saw them. */
export interface StoredComment {
  /** The same in each window that restores it. Absent: an earlier version remembered it. */
  readonly id?: string;
  readonly text: string;
  readonly quoted: readonly string[];
}

const isComment = fields<StoredComment>({ id: orAbsent(isText), text: isText, quoted: listOf(isText) });

const isThread = fields<StoredThread>({
  uri: isText,
  lines: pairOf(isCount, isCount),
  comments: listOf(isComment),
});

/** Returns the threads that were remembered, without what this version does not understand. */
export function readThreads(remembered: unknown): readonly StoredThread[] {
  if (!Array.isArray(remembered)) return [];
  return remembered.filter(isThread).filter(({ lines: [first, last] }) => first <= last);
}
