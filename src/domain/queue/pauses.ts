import type { EpochMs } from '../time/epoch';
import { unlessAll, type Priority } from '../task/priority';
import type { Hold, Pause } from './view';

/** Filter for holds; an absent field matches any. */
interface Which {
  readonly by?: Hold['by'];
  readonly priorities?: readonly Priority[];
}

/**
 * Returns the holds with one more. It replaces those of the same originator on the same priorities; of two bounds, the
 * first stays.
 */
export function placeHold(holds: readonly Hold[], { priorities: named, ...placed }: Hold): readonly Hold[] {
  const { by } = placed;
  if (by === 'bounds' && holds.some((hold) => hold.by === by)) return holds;
  const priorities = unlessAll(named);
  const others =
    priorities === undefined
      ? holds.filter((hold) => hold.by !== by || hold.priorities !== undefined)
      : liftHolds(holds, { by, priorities });
  return [...others, priorities === undefined ? placed : { ...placed, priorities }];
}

/** Returns the remaining holds. Priorities are removed only from holds on some priorities: a hold on all stays. */
export function liftHolds(holds: readonly Hold[], { by, priorities: named }: Which): readonly Hold[] {
  const priorities = unlessAll(named);
  return holds.flatMap((hold) => {
    if (by !== undefined && hold.by !== by) return [hold];
    if (priorities === undefined) return [];
    if (hold.priorities === undefined) return [hold];
    const left = hold.priorities.filter((priority) => !priorities.includes(priority));
    return left.length === 0 ? [] : [{ ...hold, priorities: left }];
  });
}

/** Number of ended pauses that are kept. */
const MOST_PAUSES = 100;

/** Returns the ended pauses, with those of the holds that were lifted or replaced at `at`. */
export function addPauses(
  pauses: readonly Pause[],
  before: readonly Hold[],
  after: readonly Hold[],
  at: EpochMs,
): readonly Pause[] {
  const over = before
    // A pause without length delayed nothing.
    .filter((hold) => !after.includes(hold) && hold.at < at)
    .map(({ by: _by, at: from, ...hold }) => ({ ...hold, from, to: at }));
  return [...pauses, ...over].slice(-MOST_PAUSES);
}

/** Returns the hold on all priorities; null: none. */
export function findFullHold(holds: readonly Hold[]): Hold | null {
  return holds.find(({ priorities }) => priorities === undefined) ?? null;
}
