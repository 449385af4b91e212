import { LONGEST_STREAK } from '../settings/settingList';
import { BY_HAND, type Attempt, type Outcome } from './attempt';
import { isOwnMistake } from './ownMistakes';
import type { Settings } from '../settings/settings';
import type { FailureStreak } from '../queue/view';

/**
 * Outcomes that leave a streak as it is: the account, the machine or the user ended the run. The same holds for an end
 * that the user reported for a task done by hand, and for a mistake in one row.
 */
const SAYS_NOTHING: readonly Outcome[] = ['transient', 'limit', 'blocked', 'cancelled', 'lost'];

/** Returns the failure streak after one more attempt. */
export function continueStreak(
  streak: FailureStreak | null,
  attempt: Pick<Attempt, 'id' | 'outcome' | 'reason' | 'message' | 'note' | 'endedAt'>,
): FailureStreak | null {
  const { id, outcome, reason, message, note } = attempt;
  if (SAYS_NOTHING.includes(outcome) || reason === BY_HAND || isOwnMistake(attempt)) return streak;
  if (outcome !== 'error' && outcome !== 'permanent') return null;
  const last = { outcome, reason, message, ...(note === undefined ? {} : { note }) };
  if (streak?.outcome !== outcome || streak.reason !== reason)
    return { ...last, ids: [id], since: attempt.endedAt };
  const { ids, since } = streak;
  return {
    ...last,
    ids: ids.includes(id) ? ids : [...ids, id].slice(-LONGEST_STREAK),
    ...(since === undefined ? {} : { since }),
  };
}

/** Whether enough tasks failed in the same way that the queue waits for the user (circuit breaker). */
export function isBroken(
  streak: FailureStreak | null,
  { breakerFailures }: Pick<Settings, 'breakerFailures'>,
): streak is FailureStreak {
  return streak !== null && breakerFailures > 0 && streak.ids.length >= breakerFailures;
}
