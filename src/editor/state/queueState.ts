import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import type { EpochMs } from '../../domain/time/epoch';
import type { Moment } from '../../domain/time/moment';
import type { TaskId } from '../../domain/task/task';

/** State that every view of the editor shows: a value, replaced as a whole. */
export type QueueState =
  /** Nothing has been read yet. */
  { readonly kind: 'opening' } | UnreadState | Ready;

/** State of a queue that was read. */
export interface Ready {
  readonly kind: 'ready';
  readonly viewModel: QueueViewModel;
  readonly notes: Notes;
  readonly byRisk: ByRisk;
}

/** State without a queue to show. */
export type UnreadState =
  /** No folder is open, or it has no queue file. `isGone`: the history of one is there. */
  | { readonly kind: 'missing'; readonly isGone?: boolean; readonly workers?: Workers }
  /** The queue cannot be read; the message is for the user, who can fix it in one of these files. */
  | {
      readonly kind: 'failing';
      readonly message: string;
      readonly files: readonly string[];
      /** Whether its history was made elsewhere. */
      readonly isForeign?: boolean;
      /** Set for a queue in Redis: whether the server does not answer, or the user has to act. */
      readonly redis?: 'away' | 'refused';
      /** Set with `redis`. */
      readonly outage?: Outage;
      readonly workers?: Workers;
    };

/** Names of the workers that run although the queue cannot be read. */
type Workers = readonly string[];

/** Time in which a queue in Redis cannot be read. */
export interface Outage {
  /** Time of the first read that failed. */
  readonly since: EpochMs;
  /** Time of the latest one. */
  readonly moment: Moment;
  /** State that was read last; null if nothing was. */
  readonly lastKnown: Ready | null;
}

/** State of a queue that cannot be read. */
export type Failing = Extract<QueueState, { kind: 'failing' }>;

/** Returns the state after a read that failed: of a queue in Redis, with the state that was read last. */
export function followOutage(before: QueueState, unread: UnreadState, moment: Moment): UnreadState {
  if (unread.kind !== 'failing' || unread.redis === undefined) return unread;
  const outage = before.kind === 'failing' ? before.outage : undefined;
  const lastKnown = before.kind === 'ready' ? before : (outage?.lastKnown ?? null);
  const timeZone = lastKnown?.viewModel.world.timeZone ?? moment.timeZone;
  const { now } = moment;
  return { ...unread, outage: { since: outage?.since ?? now, moment: { now, timeZone }, lastKnown } };
}

/** Notes about the sessions of tasks that the user has. */
export type Notes = ReadonlyMap<TaskId, string>;

/** Places of the tasks in review when they are ordered by risk. A task without a place is the only one, or not in review. */
export type ByRisk = ReadonlyMap<TaskId, number>;

/** Whether the folder of the queue has one, readable or not. */
export function hasQueue({ state }: { readonly state: QueueState }): boolean {
  return state.kind === 'ready' || state.kind === 'failing';
}

/** Whether the queue is refused because its history was made elsewhere. */
export function isForeign(state: QueueState): boolean {
  return state.kind === 'failing' && state.isForeign === true;
}

/** Whether the queue file is not there, but the history of one is. Tasks of it may run. */
export function isGone(state: QueueState): boolean {
  return state.kind === 'missing' && state.isGone === true;
}

/** Returns the names of the workers that run although the queue cannot be read. */
export function listUnreadWorkers(state: QueueState): Workers {
  return state.kind === 'missing' || state.kind === 'failing' ? (state.workers ?? []) : [];
}

/** Whether a worker runs although the queue cannot be read. */
export function runsUnread(state: QueueState): boolean {
  return listUnreadWorkers(state).length > 0;
}

/** Whether the state may end without a sign: its Redis answers again, or the last worker of an unread queue ends. */
export function endsUnseen(state: QueueState): boolean {
  return (state.kind === 'failing' && state.redis === 'away') || runsUnread(state);
}

/** Returns the view model, if there is one. */
export function viewModelOf(state: QueueState): QueueViewModel | null {
  return state.kind === 'ready' ? state.viewModel : null;
}

/** Returns the state that was read last of a queue in Redis that cannot be read now. */
export function lastKnownOf(state: QueueState): Ready | null {
  return state.kind === 'failing' ? (state.outage?.lastKnown ?? null) : null;
}
