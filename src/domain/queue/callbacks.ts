import type { Attempt } from '../task/attempt';
import type { Status } from '../task/task';
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
  /** Start of Claude's answer, for other machines; absent: they have none. */
  readonly result?: string;
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

/** Returns the key of a callback. */
export function callbackKey({ attemptId, target }: Pick<Callback, 'attemptId' | 'target'>): string {
  return `${target}:${attemptId}`;
}
