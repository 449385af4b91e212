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
 * Why a run that ended well needs a review, and what settles that. `check`: a passing check of the row's own, since it tells
 * whether the work is done. `look`: only the user. `decision`: only the user, and no other attempt is made before: it would end the
 * same, since no check answers a question or carries out a plan.
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

/** Names why a run that ended well needs a review. */
export type ReviewReason = keyof typeof SETTLED_BY;

/** Whether a passing check of the row's own makes a success of a review with this reason. An unknown reason is the user's. */
export function isSettledByCheck(reason: string): boolean {
  return settledBy(reason) === 'check';
}

/** Whether a review with this reason stays one although the row's own check failed. */
export function awaitsDecision(reason: string): boolean {
  return settledBy(reason) === 'decision';
}

function settledBy(reason: string): string | undefined {
  const table: Readonly<Record<string, string>> = SETTLED_BY;
  return table[reason];
}
