import type { EpochMs } from './epoch';
import type { Reason, Shown, WaitsFor } from './explain';
import { tellTime, type Moment } from './moment';

/** What an obstacle comes from. */
export type ObstacleKind =
  /** The task's own time: its owner's, its next one, the end of a back-off or of a limit that it met. */
  | 'time'
  | 'limit'
  /** Rules of the queue and its account. */
  | 'quiet'
  | 'hold'
  | 'failures'
  | 'spare'
  | 'attempts'
  | 'night'
  | 'gate'
  | 'reserve';

/** One thing that keeps a task from starting at a moment. */
export interface Obstacle {
  readonly kind: ObstacleKind;
  readonly shown: Shown;
  readonly waitsFor: WaitsFor;
  /** When it ends by itself, where that is known. */
  readonly until?: EpochMs;
  /** Set for the account's limits and the queue's budgets. */
  readonly atLimit?: true;
  /** Set for a limit that the user may have reset: Claude Code reports that to nobody. */
  readonly resettable?: true;
  /** Describes it to somebody who reads it at that moment. */
  readonly tell: (moment: Moment) => string;
}

/** An obstacle that ends at `until`, which its text names at the end. */
export function timedObstacle(
  fields: Pick<Obstacle, 'kind' | 'shown' | 'waitsFor' | 'atLimit'> & { readonly until: EpochMs },
  words: string,
): Obstacle & { readonly until: EpochMs } {
  return { ...fields, tell: (moment) => `${words} ${tellTime(fields.until, moment)}` };
}

/** The reason that one obstacle gives. Its text is composed when it is read: of thousands that wait, few are told. */
export function reasonOf(
  { shown, waitsFor, until, atLimit, resettable, tell }: Obstacle,
  moment: Moment,
): Reason {
  return {
    shown,
    get text() {
      return tell(moment);
    },
    waitsFor,
    ...(until === undefined ? {} : { until }),
    ...(atLimit === undefined ? {} : { atLimit }),
    ...(resettable === undefined ? {} : { resettable }),
  };
}
