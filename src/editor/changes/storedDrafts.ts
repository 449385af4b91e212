import { isObject, isText } from '../../platform/text/shapes';

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
  readonly text: string;
  readonly quoted: readonly string[];
}

/** Returns the threads that were remembered, without what this version does not understand. */
export function readThreads(remembered: unknown): readonly StoredThread[] {
  return Array.isArray(remembered) ? remembered.filter(isThread) : [];
}

function isThread(value: unknown): value is StoredThread {
  if (!isObject(value)) return false;
  const { uri, lines, comments } = value;
  return isText(uri) && isLines(lines) && Array.isArray(comments) && comments.every(isComment);
}

function isLines(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, last] = value as readonly unknown[];
  return isLine(first) && isLine(last) && first <= last;
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isComment(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { text, quoted } = value;
  return isText(text) && Array.isArray(quoted) && quoted.every(isText);
}
