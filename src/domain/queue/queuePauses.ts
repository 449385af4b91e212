import type { EpochMs } from '../time/epoch';
import type { Priority } from '../task/priority';
import type { Hold, Pause } from './view';

/** Which holds are meant; absent is any. */
interface Which {
  readonly by?: Hold['by'];
  readonly priorities?: readonly Priority[];
}

/** The holds with one more, which takes the place of one by the same on the same. */
export function placeHold(holds: readonly Hold[], placed: Hold): readonly Hold[] {
  const { by, priorities } = placed;
  const others =
    priorities === undefined
      ? holds.filter((hold) => hold.by !== by || hold.priorities !== undefined)
      : liftHolds(holds, { by, priorities });
  return [...others, placed];
}

/** The holds that are left. Priorities are taken out of holds on some priorities only: a hold on all stays. */
export function liftHolds(holds: readonly Hold[], { by, priorities }: Which): readonly Hold[] {
  return holds.flatMap((hold) => {
    if (by !== undefined && hold.by !== by) return [hold];
    if (priorities === undefined) return [];
    if (hold.priorities === undefined) return [hold];
    const left = hold.priorities.filter((priority) => !priorities.includes(priority));
    return left.length === 0 ? [] : [{ ...hold, priorities: left }];
  });
}

/** As many pauses that are over are remembered. */
const MOST_PAUSES = 100;

/** The pauses that are over, with those of the holds that were lifted or replaced at `at`. */
export function addPauses(
  pauses: readonly Pause[],
  before: readonly Hold[],
  after: readonly Hold[],
  at: EpochMs,
): readonly Pause[] {
  const over = before
    // A pause without length kept nothing from its time.
    .filter((hold) => !after.includes(hold) && hold.at < at)
    .map(({ by: _by, at: from, ...hold }) => ({ ...hold, from, to: at }));
  return [...pauses, ...over].slice(-MOST_PAUSES);
}

/** The hold under which nothing at all is started. */
export function findFullHold(holds: readonly Hold[]): Hold | undefined {
  return holds.find(({ priorities }) => priorities === undefined);
}
