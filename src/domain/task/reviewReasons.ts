/** Claude asked the user something, and nobody could answer. */
export const NEEDS_ANSWER = 'needs-answer';

/** Claude reported that it could not finish. */
export const COULD_NOT = 'could-not';

/** A report of the end was required, and Claude gave none. */
export const NO_REPORT = 'no-report';

/** Claude was refused actions. */
export const DENIED = 'denied';

/** The queue file says that the task ended, and the history does not know of it. */
export const HISTORY_LOST = 'history-lost';

/**
 * Reasons why a run that ended well needs a review, with what settles the review.
 * - `check`: a passing check of the row, since it shows whether the work is done.
 * - `look`: only the user.
 * - `decision`: only the user, and no other attempt is made before. It would end the same, since no check answers a
 *   question or carries out a plan.
 */
const SETTLED_BY = {
  unstructured: 'look',
  'no-turns': 'look',
  'turn-failed': 'look',
  'plan-mode': 'decision',
  [NEEDS_ANSWER]: 'decision',
  'empty-answer': 'look',
  [COULD_NOT]: 'decision',
  [NO_REPORT]: 'look',
  [HISTORY_LOST]: 'look',
  'limit-reached': 'check',
  'helper-failed': 'check',
  'changes-failed': 'check',
  'calls-failed': 'check',
  [DENIED]: 'check',
  'wrapped-up': 'check',
} as const satisfies Readonly<Record<string, 'check' | 'look' | 'decision'>>;

/** Reason why a run that ended well needs a review. */
export type ReviewReason = keyof typeof SETTLED_BY;

/**
 * Whether a passing check of the row turns a review with this reason into a success. An unknown reason needs the user.
 */
export function isSettledByCheck(reason: string): boolean {
  return settledBy(reason) === 'check';
}

/** Whether a review with this reason remains one although the row's check failed. */
export function awaitsDecision(reason: string): boolean {
  return settledBy(reason) === 'decision';
}

function settledBy(reason: string): string | undefined {
  const table: Readonly<Record<string, string>> = SETTLED_BY;
  return table[reason];
}
