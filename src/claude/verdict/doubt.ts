import type { ReviewReason } from '../../domain/task/reviewReasons';
import { firstLine } from '../../platform/text/plainText';
import type { ResultMessage } from '../stream/message';
import type { Finding, EndFacts } from '../stream/endFacts';

/** Attempt that Claude Code calls a success. */
export interface Ended {
  readonly result: ResultMessage;
  readonly facts: EndFacts;
}

/** Returns why the attempt needs a review, or undefined. */
export type Doubt = (run: Ended) => Finding | undefined;

/** Longest message in characters: three refused calls with their paths fit in. */
const LONGEST_MESSAGE = 1000;

/** Returns a finding that sends the attempt to review. */
export function review(reason: ReviewReason, message: string): Finding {
  return reviewAs(reason, message);
}

/** Returns a review whose reason is Claude Code's own word. */
export function reviewAs(reason: string, message: string): Finding {
  return { outcome: 'review', reason, message: firstLine(message, LONGEST_MESSAGE) };
}
