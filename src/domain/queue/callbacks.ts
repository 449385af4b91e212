import type { Attempt } from '../task/attempt';
import type { Change } from '../task/decide';
import type { Settings } from '../settings/settings';
import type { Definition, Status } from '../task/task';
import type { EpochMs } from '../time/epoch';
import type { CallbackPlan } from './callbackPlan';
import type { NoticeSender } from './noticeSender';

/** Addresses that a callback may go to: that of the row, and that of the machine for its whole queue. */
export type CallbackTarget = 'row' | 'queue';

/** A web hook for the end of one attempt. */
export interface Callback extends Pick<CallbackPlan, 'requestId' | 'metadata'> {
  /** Id of the attempt: unique for ever, and the same in each try. */
  readonly attemptId: string;
  /** Machine of the attempt. It has Claude's answer; absent in earlier journals. */
  readonly machine?: string;
  readonly target: CallbackTarget;
  /** Address; absent for the machine's own. */
  readonly url?: string;
  readonly attempt: Attempt;
  /** State of the task by this attempt alone. `pending`: it is tried again. */
  readonly status: Status;
}

/** A callback that was not delivered yet. */
export interface CallbackEntry {
  readonly callback: Callback;
  /** Number of failed tries. */
  readonly failures: number;
  /** Time of the next try. */
  readonly nextAt: EpochMs;
  /** Process that makes the next try, unless it dies. */
  readonly sender?: NoticeSender;
}

/** Cause of a failed try. */
export type CallbackFailure =
  | { readonly kind: 'status' | 'redirect'; readonly status: number }
  | { readonly kind: 'timeout' }
  /** The connection could not be made, or broke off; `code` as Node names it, such as `ECONNREFUSED`. */
  | { readonly kind: 'connection'; readonly code: string }
  /** The host is at an address of a private network that the machine's owner has not allowed. */
  | { readonly kind: 'private'; readonly address: string }
  /** `http:` to an address that the machine's owner has not allowed. */
  | { readonly kind: 'not-encrypted' }
  /** The text is no address for callbacks. */
  | { readonly kind: 'no-address' }
  /** Too many callbacks were waiting: the oldest was dropped. */
  | { readonly kind: 'too-many' };

/** Request for callbacks to send. */
export interface CallbackRequest {
  readonly sender: NoticeSender;
  /** Addresses that this sender knows. */
  readonly targets: readonly CallbackTarget[];
  /** Most callbacks to return. */
  readonly limit: number;
}

/** Result of one try. */
export interface CallbackTry {
  readonly key: string;
  /** Where it went, without anything that may be secret. */
  readonly host: string;
  /** Null: delivered. */
  readonly failure: CallbackFailure | null;
}

/** Tries of one callback. */
const TRIES = 3;

/** Time until the second and the third try, in ms. */
const RETRY_AFTER_MS = [10_000, 60_000] as const;

/**
 * Returns the callbacks for the end of an attempt at this row; undefined: none. The address of a row that is not
 * approved is not called: somebody else may have written it.
 */
export function planCallbacks(
  { callbackUrl, requestId, metadata }: Definition,
  settings: Pick<Settings, 'callbackUrl'>,
  isRowApproved: boolean,
): CallbackPlan | undefined {
  const isOfQueue = settings.callbackUrl !== '';
  const isOfRow = isRowApproved && callbackUrl !== undefined && callbackUrl !== settings.callbackUrl;
  if (!isOfQueue && !isOfRow) return undefined;
  return {
    ...(isOfRow ? { url: callbackUrl } : {}),
    ...(isOfQueue ? { queue: true } : {}),
    ...(requestId === undefined ? {} : { requestId }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Returns the callbacks of an attempt that has ended, one for each address. `machine` is that of the attempt. */
export function callbacksOf(
  { url, queue, ...cells }: CallbackPlan,
  { attemptId, machine }: Required<Pick<Callback, 'attemptId' | 'machine'>>,
  { attempt, change }: { readonly attempt: Attempt; readonly change: Change },
): Callback[] {
  const common = { ...cells, attemptId, machine, attempt, status: statusAfter(attempt, change) };
  return [
    ...(url === undefined ? [] : [{ ...common, target: 'row' as const, url }]),
    ...(queue === undefined ? [] : [{ ...common, target: 'queue' as const }]),
  ];
}

function statusAfter({ outcome }: Attempt, { givenUp, status }: Change): Status {
  if (outcome === 'success') return 'completed';
  if (outcome === 'review') return outcome;
  // An attempt that was stopped resumes.
  if (outcome === 'cancelled') return status === 'cancelled' ? 'cancelled' : 'pending';
  return givenUp || outcome === 'permanent' ? 'failed' : 'pending';
}

/** Returns the key of a callback. */
export function callbackKey({ attemptId, target }: Pick<Callback, 'attemptId' | 'target'>): string {
  return `${target}:${attemptId}`;
}

/** Whether it is time for the next try. A time that was recorded while the clock was ahead does not count. */
export function isDue({ nextAt }: CallbackEntry, now: EpochMs): boolean {
  return nextAt <= now || nextAt - now > Math.max(...RETRY_AFTER_MS);
}

/** Time for which the machine of an attempt alone sends its callbacks, in ms. */
const OWN_MACHINE_MS = 60_000;

/**
 * Whether this machine may make the next try. Only the machine of the attempt has the settings with its own address;
 * others call the address of the row once that machine had a minute.
 */
export function isForMachine({ callback, nextAt }: CallbackEntry, machine: string, now: EpochMs): boolean {
  if (callback.machine === undefined || callback.machine === machine) return true;
  return callback.target === 'row' && now - nextAt >= OWN_MACHINE_MS;
}

/** Returns the time of the next try after one that failed at `now`; null: it was the last. */
export function nextTry(failures: number, { kind }: CallbackFailure, now: EpochMs): EpochMs | null {
  // Only the user can change these.
  if (kind === 'private' || kind === 'not-encrypted' || kind === 'no-address') return null;
  const waitMs = failures < TRIES ? RETRY_AFTER_MS[failures - 1] : undefined;
  return waitMs === undefined ? null : now + waitMs;
}
