import { BY_HAND, type Attempt } from '../task/attempt';
import type { ProcessIdentity } from '../task/processIdentity';
import type { NoticeSender } from './noticeSender';
import type { Change } from '../task/decide';
import type { EpochMs } from '../time/epoch';
import type { GateKind } from '../gate/gate';
import { NEEDS_ANSWER } from '../task/reviewReasons';
import type { TaskId } from '../task/task';
import type { Callback, CallbackFailure } from './callbacks';
import { isInReview, type Claim, type RegisteredWorker, type TaskState } from './view';

/** The end of an attempt that needs the user's attention. */
export interface EndNotice {
  readonly kind: 'needs-answer' | 'review' | 'failed';
  readonly id: TaskId;
  readonly power: string;
  readonly attempt: number;
}

/** A deadline that a row names and that may be missed, or was. */
export interface DeadlineNotice {
  readonly kind: 'at-risk' | 'late';
  readonly id: TaskId;
  readonly power: string;
  readonly by: EpochMs;
}

/** The account is closed until the user acts. */
export interface BlockedNotice {
  readonly kind: 'blocked';
  readonly gate: GateKind;
  readonly since: EpochMs;
}

/** The queue paused itself, until the user acts. */
export interface StoppedNotice {
  readonly kind: 'stopped';
  /** A reached bound of a worker's run, or the same failure in a row. */
  readonly cause: 'bound' | 'failures';
  /** Time of the pause by a bound, or of the first of the failures. */
  readonly after: EpochMs;
}

/** A worker's process ended without unregistering. */
export interface WorkerDiedNotice {
  readonly kind: 'worker-died';
  readonly worker: string;
  /** Absent in a journal of an older version. */
  readonly machine?: string;
  readonly process: ProcessIdentity;
}

/** A timer of the machine did not start a worker in time. */
export interface TimerLateNotice {
  readonly kind: 'timer-late';
  /** Program that starts workers: `crontab`, `systemd`, `launchd`. */
  readonly timer: string;
  readonly expectedAt: EpochMs;
}

/** No task is left that runs by itself. The counts cover the attempts from `since` to `until`. */
export interface AllDoneNotice {
  readonly kind: 'all-done';
  readonly since: EpochMs;
  readonly until: EpochMs;
  readonly completed: number;
  readonly failed: number;
  readonly review: number;
  /** Absent: none. */
  readonly cancelled?: number;
  /** Tasks that wait for the user, for a valid row, or for a task that will not complete by itself. */
  readonly left: number;
  readonly costUsd: number;
  /** Some of these attempts reported no cost. */
  readonly isCostOpen?: true;
}

/** The last try of a callback failed. It is not sent any more. */
export interface CallbackNotice extends Pick<Callback, 'attemptId' | 'target'> {
  readonly kind: 'callback-failed';
  readonly id: TaskId;
  /** Where it should have gone, without anything that may be secret. */
  readonly host: string;
  readonly failure: CallbackFailure;
}

/** A fact of which the user is notified once. The sender makes the text. */
export type Notice =
  | EndNotice
  | DeadlineNotice
  | BlockedNotice
  | StoppedNotice
  | WorkerDiedNotice
  | TimerLateNotice
  | AllDoneNotice
  | CallbackNotice;
export type NoticeKind = Notice['kind'];

/** Channels by which notices reach the user; each notice is sent once by each. */
export const NOTICE_CHANNELS = ['worker', 'editor'] as const;
/** `worker`: lines of a worker's terminal and the `notify` command; `editor`: notifications of editor windows. */
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** Request for notices to send. */
export interface NoticeRequest {
  readonly channel: NoticeChannel;
  readonly sender: NoticeSender;
  /** Notices found by looking at the queue, the time and the account. */
  readonly observed: readonly Notice[];
}

/** A notice and who sends it by which channel. */
export interface OutboxEntry {
  readonly notice: Notice;
  readonly at: EpochMs;
  readonly senders: Partial<Record<NoticeChannel, NoticeSender>>;
  readonly sent: readonly NoticeChannel[];
}

/** Returns the key of a notice: the same fact has the same key, regardless of which process finds it. */
export function noticeKey(notice: Notice): string {
  switch (notice.kind) {
    case 'needs-answer':
    case 'review':
    case 'failed':
      return [notice.kind, notice.id, notice.power, notice.attempt].join(':');
    case 'at-risk':
    case 'late':
      return [notice.kind, notice.id, notice.power, notice.by].join(':');
    case 'blocked':
      return [notice.kind, notice.gate, notice.since].join(':');
    case 'stopped':
      return [notice.kind, notice.cause, notice.after].join(':');
    case 'worker-died':
      return [notice.kind, notice.process.pid, notice.process.startedAt].join(':');
    case 'timer-late':
      return [notice.kind, notice.expectedAt].join(':');
    case 'all-done':
      return [notice.kind, notice.until].join(':');
    case 'callback-failed':
      return callbackNoticeKey(notice.host);
  }
}

/** Returns the key of the notice that this host does not receive callbacks. */
export function callbackNoticeKey(host: string): string {
  return `callback-failed:${host}`;
}

/**
 * Kinds of facts that last and may be found again. Their keys are kept after they were sent: the user is notified once of
 * a host that receives no callbacks, until it receives one.
 */
const OBSERVED: readonly NoticeKind[] = [
  'at-risk',
  'late',
  'blocked',
  'stopped',
  'timer-late',
  'callback-failed',
];

/** Whether a notice of this kind may be found again after it was sent. */
export function isRaisedByObserver({ kind }: Notice): boolean {
  return OBSERVED.includes(kind);
}

/** Returns the notice for the end of an attempt; null: it needs no attention, or the user reported it. */
export function noticeOfEnd(attempt: Attempt, change: Change): EndNotice | null {
  const { id, power, number, outcome, reason } = attempt;
  if (reason === BY_HAND) return null;
  const of = { id, power, attempt: number };
  if (outcome === 'review') return { kind: reason === NEEDS_ANSWER ? 'needs-answer' : 'review', ...of };
  return change.givenUp || outcome === 'permanent' ? { kind: 'failed', ...of } : null;
}

/** Returns the notice that a worker died. */
export function noticeOfDeath({ owner }: RegisteredWorker): WorkerDiedNotice {
  return { kind: 'worker-died', worker: owner.worker, machine: owner.machine, process: owner.process };
}

/** Current state of a notice's task; undefined where its row is gone. */
export interface NoticedTask {
  readonly state: TaskState;
  readonly attempts: number;
  readonly claim: Claim | undefined;
}

/** Whether the notice is out of date: its task was edited, or has moved on. A notice whose row is gone is not. */
export function isOutOfDate(notice: Notice, task: NoticedTask | undefined): boolean {
  if (!('power' in notice) || task === undefined) return false;
  const { state, attempts, claim } = task;
  if (state.power !== notice.power) return true;
  if ('by' in notice) return claim === undefined && state.status !== 'pending';
  if (attempts !== notice.attempt || claim !== undefined) return true;
  if (notice.kind !== 'failed') return !isInReview(state);
  return !(state.status === 'failed' || (state.status === 'pending' && state.dueCause === 'repeat'));
}
