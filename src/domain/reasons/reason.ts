import type { EndNote } from '../task/attempt';
import type { Unmet } from '../task/dependencies';
import type { EpochMs } from '../time/epoch';
import type { GateBlock } from '../gate/gate';
import type { Phase } from '../gate/gateOpening';
import type { Priority } from '../task/priority';
import type { UsageWindow } from '../gate/usageWindows';
import type { Claim, FailureStreak, Hold, Owner, ProcessOwner } from '../queue/view';

/** States under which the user sees tasks. */
export const SHOWN_STATES = [
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
export type ShownState = (typeof SHOWN_STATES)[number];

/**
 * Kind of event that a task waits for. `machine`: passes by itself soon. `schedule`: its owner's time. `person`: never
 * passes by itself. `elsewhere`: another machine can start it, and this one cannot.
 */
export type WaitsFor = 'machine' | 'schedule' | 'task' | 'person' | 'elsewhere' | 'nothing';

/** A block of the account's gate, with all that its text depends on besides the current time. */
export interface GateFacts {
  readonly block: GateBlock;
  readonly phase: Exclude<Phase, { kind: 'open' }>;
  /** Whether the reset is farther ahead than its kind allows. */
  readonly isImplausibleReset: boolean;
  /** Milliseconds between the starts of two attempts after the reset. */
  readonly stagger: number;
  /** Whether the probe is a task of this queue. */
  readonly isProbeHere: boolean;
}

/** Reason why a leftover task waits. */
export type LeftoverCause =
  | { readonly why: 'unknown' | 'too-fast' }
  | { readonly why: 'kept' | 'used-up'; readonly window: UsageWindow['window'] }
  | { readonly why: 'last-part'; readonly from: EpochMs; readonly lengthMs: number };

/** Cause for which a task is not running, as data; `app/present/reasons/reason.ts` words it. */
export type Cause =
  // The state of the task.
  | { readonly kind: 'invalid' }
  | { readonly kind: 'claimed'; readonly owner: Owner; readonly isOwnerDead: boolean }
  | { readonly kind: 'question'; readonly question: string }
  | { readonly kind: 'message'; readonly message: string; readonly note?: EndNote }
  | { readonly kind: 'not-confirmed' }
  /** The task is completed, but the user has undone what it changed. */
  | { readonly kind: 'undone' }
  | { readonly kind: 'retries-used-up'; readonly count: number; readonly max: number }
  | { readonly kind: 'reopened' }
  | { readonly kind: 'not-approved' }
  /** Another version of the row was approved. */
  | { readonly kind: 'changed' }
  /** This worker of another machine may run it. */
  | { readonly kind: 'approved-elsewhere'; readonly owner: ProcessOwner }
  | { readonly kind: 'dependency'; readonly unmet: Unmet }
  | { readonly kind: 'repository'; readonly name: string }
  // Its time.
  | {
      readonly kind: 'time';
      readonly of: 'owner' | 'retry' | 'repeat';
      readonly until: EpochMs;
      /** Number of due times of a repeating task that were missed and are skipped. */
      readonly missed?: number;
    }
  | { readonly kind: 'limit'; readonly until: EpochMs }
  // Rules of the queue and its account. Without a priority they are for all.
  | { readonly kind: 'settings'; readonly wrong: readonly string[] }
  | { readonly kind: 'quiet'; readonly priority?: Priority; readonly until: EpochMs | null }
  | { readonly kind: 'hold'; readonly hold: Hold }
  | { readonly kind: 'failures'; readonly streak: FailureStreak }
  | {
      readonly kind: 'unreviewed';
      readonly unreviewed: number;
      readonly running: number;
      readonly max: number;
    }
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
  | { readonly kind: 'slots'; readonly running: number; readonly lost?: number; readonly max: number }
  | { readonly kind: 'busy'; readonly claim: Claim }
  | { readonly kind: 'directory'; readonly claim: Claim }
  /** It was stopped for this claim, and waits for its end. */
  | { readonly kind: 'made-way'; readonly claim: Claim }
  | {
      readonly kind: 'place-in-line';
      readonly place: number;
      readonly pool: string;
      readonly running: number;
      readonly max: number;
    }
  // The queue as a whole.
  | {
      readonly kind: 'nothing-left';
      /** Restriction of the claimer. */
      readonly priorities?: readonly Priority[];
      readonly tags?: readonly string[];
      readonly users?: readonly string[];
    };

/** Reason why a task is not running now. */
export interface Reason {
  readonly state: ShownState;
  /** Causes that its text names: the first obstacle, then the last one. Empty where `state` says it all. */
  readonly causes: readonly Cause[];
  /** Open review of the last attempt, for a repeating task whose next time is in `causes`. */
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
  readonly state: ShownState;
  readonly cause: Cause;
  readonly waitsFor: WaitsFor;
  /** When it ends by itself, where that is known. */
  readonly until?: EpochMs;
  /** Set for the account's limits and the queue's budgets. */
  readonly atLimit?: true;
}

/** Returns the reason that consists of one obstacle. */
export function reasonOf({ cause, ...obstacle }: Obstacle): Reason {
  return { ...obstacle, causes: [cause] };
}

/**
 * Returns a name for the reason that does not change with the time of day, as its text may, nor when the process of a
 * claim starts, which no text names.
 */
export function nameReason({ state, until, causes }: Reason): string {
  const withoutRun = (key: string, value: unknown): unknown => (key === 'run' ? undefined : value);
  return `${state} ${until === undefined ? JSON.stringify(causes, withoutRun) : String(until)}`;
}

/** Whether it waits for a limit that the user may have reset: Claude Code does not report that. */
export function isResettable({ causes }: Reason): boolean {
  return causes.some(
    (cause) =>
      cause.kind === 'gate' && cause.gate.phase.kind === 'closed' && cause.gate.block.resettable === true,
  );
}

/** Whether a task waits for nothing but its turn: a free slot, or a worker. */
export function waitsForSlot({ state, slotsBusy }: Reason): boolean {
  return state === 'ready' || slotsBusy === true;
}
