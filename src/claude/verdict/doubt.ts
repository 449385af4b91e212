import type { ReviewReason } from '../../domain/task/reviewReasons';
import { firstLine } from '../../platform/text/plainText';
import type { ResultMessage } from '../stream/message';
import type { Finding, RunFacts } from '../stream/runFacts';

/** A run that Claude Code calls a success. */
export interface Ended {
  readonly result: ResultMessage;
  readonly facts: RunFacts;
}

/** Returns why the run needs a review, or undefined. */
export type Doubt = (run: Ended) => Finding | undefined;

/** Three refused calls with their paths fit in. */
const LONGEST_MESSAGE = 1000;

/** A finding that sends the run to review. */
export function review(reason: ReviewReason, message: string): Finding {
  return reviewAs(reason, message);
}

/** A review whose reason is Claude Code's own word. */
export function reviewAs(reason: string, message: string): Finding {
  return { outcome: 'review', reason, message: firstLine(message, LONGEST_MESSAGE) };
}
