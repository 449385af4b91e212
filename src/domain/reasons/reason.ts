import type { EndNote } from '../task/attempt';
import type { Unmet } from '../task/dependencies';
import type { EpochMs } from '../time/epoch';
import type { GateBlock } from '../gate/limits';
import type { Phase } from '../gate/gateOpening';
import type { Priority } from '../task/priority';
import type { UsageWindow } from '../gate/usageWindows';
import type { Claim, FailureStreak, Hold, Owner } from '../queue/view';

/** The words under which people see tasks. */
export const SHOWN = [
  'invalid',
  'unapproved',
  'ready',
  'scheduled',
  'blocked',
  'stuck',
  'retrying',
  'waiting',
  'running',
  'review',
  'completed',
  'cancelled',
  'dead',
] as const;
export type Shown = (typeof SHOWN)[number];

/** What a task waits for: `machine` passes by itself soon, `schedule` at its owner's time, `person` never by itself. */
export type WaitsFor = 'machine' | 'schedule' | 'task' | 'person' | 'nothing';

/** A gate of the account that is in the way, with what its text depends on besides the time at which it is read. */
export interface GateFacts {
  readonly block: GateBlock;
  readonly phase: Exclude<Phase, { kind: 'open' }>;
  /** Whether the reset is farther ahead than such a window can last. */
  readonly isImplausibleReset: boolean;
  /** Milliseconds between the starts of two attempts after the reset. */
  readonly stagger: number;
  /** Whether the task that goes first is one of this queue. */
  readonly isProbeHere: boolean;
}

/** Why a task of the spare lane waits. */
export type LeftoverCause =
  | { readonly why: 'unknown' | 'too-fast' }
  | { readonly why: 'kept' | 'used-up'; readonly window: UsageWindow['window'] }
  | { readonly why: 'last-part'; readonly from: EpochMs; readonly lengthMs: number };

/** Why a task is not running, as data; `app/present/reason.ts` words it. */
export type Cause =
  // The state of the task.
  | { readonly kind: 'invalid' }
  | { readonly kind: 'claimed'; readonly owner: Owner; readonly isImpossible: boolean }
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'message'; readonly message: string; readonly note?: EndNote }
  | { readonly kind: 'not-confirmed' }
  | { readonly kind: 'retries-used-up'; readonly count: number; readonly max: number }
  | { readonly kind: 'reopened' }
  | { readonly kind: 'not-approved' }
  | { readonly kind: 'dependency'; readonly unmet: Unmet }
  // Its time.
  | {
      readonly kind: 'time';
      readonly of: 'owner' | 'retry' | 'repeat';
      readonly until: EpochMs;
      /** How many times of a repeating task were missed and are skipped. */
      readonly missed?: number;
    }
  | { readonly kind: 'limit'; readonly until: EpochMs }
  // Rules of the queue and its account. Without a priority they are for all.
  | { readonly kind: 'quiet'; readonly priority?: Priority; readonly until: EpochMs | null }
  | { readonly kind: 'hold'; readonly hold: Pick<Hold, 'why' | 'priorities'> }
  | { readonly kind: 'failures'; readonly streak: FailureStreak }
  | { readonly kind: 'spare'; readonly spare: LeftoverCause }
  | {
      readonly kind: 'attempts';
      readonly limit: number;
      readonly per: 'hour' | 'day';
      readonly until: EpochMs;
    }
  | { readonly kind: 'night'; readonly budgetUsd: number; readonly usedUsd: number; readonly until: EpochMs }
  | { readonly kind: 'gate'; readonly gate: GateFacts }
  | { readonly kind: 'reserve'; readonly window: UsageWindow; readonly keptFor: readonly Priority[] }
  // The attempts that leave no room.
  | { readonly kind: 'slots'; readonly running: number; readonly max: number }
  | { readonly kind: 'busy'; readonly claim: Claim }
  | { readonly kind: 'directory'; readonly claim: Claim }
  | {
      readonly kind: 'place-in-line';
      readonly place: number;
      readonly pool: string;
      readonly running: number;
      readonly max: number;
    }
  // Of the queue as a whole.
  | { readonly kind: 'nothing-left'; readonly priorities?: readonly Priority[] };

/** Why a task is not running now. */
export interface Reason {
  readonly shown: Shown;
  /** What its text says: what is in the way, then what is in the way after that. Empty where `shown` says it all. */
  readonly causes: readonly Cause[];
  /** What the last attempt leaves to the user, of a repeating task whose next time is in `causes`. */
  readonly review?: Cause;
  readonly waitsFor: WaitsFor;
  /** When that changes by itself, where it is known. */
  readonly until?: EpochMs;
  /** Set where only the account's limits or the queue's budget keep it from running. */
  readonly atLimit?: true;
  /** Set where it only waits for one of the running tasks to end. */
  readonly slotsBusy?: true;
}

/** One thing that keeps a task from starting at a moment. */
export interface Obstacle {
  readonly shown: Shown;
  readonly cause: Cause;
  readonly waitsFor: WaitsFor;
  /** When it ends by itself, where that is known. */
  readonly until?: EpochMs;
  /** Set for the account's limits and the queue's budgets. */
  readonly atLimit?: true;
}

/** The reason that one obstacle gives. */
export function reasonOf({ cause, ...obstacle }: Obstacle): Reason {
  return { ...obstacle, causes: [cause] };
}

/** A name that the same reason keeps while its text may change with the time of day. */
export function nameReason({ shown, until, causes }: Reason): string {
  return `${shown} ${until === undefined ? JSON.stringify(causes) : String(until)}`;
}

/** Whether it waits for a limit that the user may have reset: Claude Code reports that to nobody. */
export function isResettable({ causes }: Reason): boolean {
  return causes.some(
    (cause) =>
      cause.kind === 'gate' && cause.gate.phase.kind === 'closed' && cause.gate.block.resettable === true,
  );
}
