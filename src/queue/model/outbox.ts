import type { NoticeSender } from '../../domain/queue/noticeSender';
import {
  isRaisedByObserver,
  isOutOfDate,
  noticeKey,
  noticeOfDeath,
  noticeOfEnd,
  type AllDoneNotice,
  type Notice,
  type NoticeChannel,
  type NoticeRequest,
  type OutboxEntry,
} from '../../domain/queue/notices';
import type { Attempt } from '../../domain/task/attempt';
import { sumUsd } from '../../domain/usd';
import type { Change } from '../../domain/task/decide';
import { isMet } from '../../domain/task/dependencies';
import { searchApprover } from '../../domain/reasons/approver';
import { explainOnce, type Explain } from '../../domain/reasons/explain';
import type { Reason } from '../../domain/reasons/reason';
import type { World } from '../../domain/reasons/world';
import { explainFullPause } from '../../domain/reasons/explainQueue';
import type { EpochMs } from '../../domain/time/epoch';
import { lookAhead } from '../../domain/order/lookAhead';
import {
  isSameProcess,
  isSameWorker,
  type RegisteredWorker,
  type TaskState,
  type TaskView,
} from '../../domain/queue/view';
import type { Liveness } from './liveness';
import { withApprovals } from './state/inputsState';
import { attemptsOfBatch } from './state/batch';
import { countRoom, findTask, isAboutDeadline } from './state/outboxState';
import { currentTask, type QueueState } from './state/queueState';
import type { Step } from './step';
import { mayRowsReturn } from './state/vanishedRows';

/** Returns the workers that died without leaving. */
export function deadWorkers({ workers }: QueueState, liveness: Liveness): RegisteredWorker[] {
  return workers.filter(({ owner }) => liveness.isDead(owner));
}

/** Returns the notices that are not out of date, with their senders. */
export function readOutbox(state: QueueState): OutboxEntry[] {
  return [...state.outbox.values()].filter(({ notice }) => !isOutOfDate(notice, findTask(state, notice)));
}

/**
 * Raises the observed notices, and returns all that this sender is to send by its channel: new ones, and those that it
 * took before and has not sent. Those that another living process is sending are left to that one.
 */
export function claimNotices(step: Step, request: NoticeRequest, liveness: Liveness): Notice[] {
  const { channel, sender, observed } = request;
  raiseObserved(step, observed, liveness);
  const mine = readOutbox(step.state).filter((entry) => maySend(entry, request, liveness));
  const keys = mine
    .filter(({ senders }) => !isSameSender(senders[channel], sender))
    .map(({ notice }) => noticeKey(notice));
  if (keys.length > 0) step.record({ kind: 'sending', channel, sender, keys });
  return mine.map(({ notice }) => notice);
}

/** Records that the notices were sent. Ignores notices that no longer exist. */
export function confirmNotices(step: Step, channel: NoticeChannel, keys: readonly string[]): void {
  const open = keys.filter((key) => step.state.outbox.get(key)?.sent.includes(channel) === false);
  if (open.length > 0) step.record({ kind: 'sent', channel, keys: open });
}

/**
 * Returns whether this sender may send the entry by this channel. True if it was not sent and no other living process
 * is about to send it.
 */
export function maySend(
  { senders, sent }: OutboxEntry,
  { channel, sender }: Pick<NoticeRequest, 'channel' | 'sender'>,
  liveness: Liveness,
): boolean {
  if (sent.includes(channel)) return false;
  const other = senders[channel];
  if (other === undefined || isSameSender(other, sender)) return true;
  return !mightBeSending(other, liveness);
}

/** Whether that process may be about to send. Where that is unknown, sending twice is better than never. */
export function mightBeSending(sender: NoticeSender, liveness: Liveness): boolean {
  return liveness.isAlive(sender);
}

/** Whether both are the same process. */
export function isSameSender(a: NoticeSender | undefined, b: NoticeSender): boolean {
  return a?.machine === b.machine && isSameProcess(a.process, b.process);
}

function raiseObserved(step: Step, observed: readonly Notice[], liveness: Liveness): void {
  const { state } = step;
  const died = deadWorkers(state, liveness);
  raiseDeaths(
    step,
    died.filter(({ owner }) =>
      observed.some((one) => one.kind === 'worker-died' && isSameProcess(one.process, owner.process)),
    ),
  );
  const fresh = observed.filter(
    (notice) =>
      isRaisedByObserver(notice) &&
      !state.outbox.has(noticeKey(notice)) &&
      (!('power' in notice) || isCurrent(state, notice)),
  );
  const others = fresh.filter((notice) => !isAboutDeadline(notice));
  const deadlines = fresh.filter(isAboutDeadline);
  // One that waits for room is not recorded: each look would record it again.
  const kept = deadlines.length === 0 ? others : [...others, ...deadlines.slice(0, countRoom(state))];
  if (kept.length > 0) step.record({ kind: 'raised', notices: kept });
}

function isCurrent(state: QueueState, notice: Notice): boolean {
  const task = findTask(state, notice);
  return task !== undefined && !isOutOfDate(notice, task);
}

/** Unregisters workers that died, and raises one notice for each. */
export function raiseDeaths(step: Step, died: readonly RegisteredWorker[]): void {
  const known = died.filter(({ owner }) => step.state.workers.some((one) => isSameWorker(one.owner, owner)));
  if (known.length === 0) return;
  step.record({ kind: 'left', workers: known.map(({ owner }) => owner) });
  step.record({ kind: 'raised', notices: known.map(noticeOfDeath) });
}

/** Raises the notice for the end of an attempt, if the user has something to do. */
export function raiseEnd(step: Step, attempt: Attempt, change: Change): void {
  const notice = noticeOfEnd(attempt, change);
  if (notice !== null && isCurrent(step.state, notice)) step.record({ kind: 'raised', notices: [notice] });
}

/**
 * Raises `all-done` if nothing runs, and each task that is left waits for the user, another task, leftover capacity or its
 * scheduled time. It is too early while a task is ready for another worker, or waits for the end of quiet hours. Runs of
 * repeating tasks that will run again finish nothing: it counts from the first start of another task.
 */
export function raiseAllDone(step: Step, world: World): void {
  const { state, now } = step;
  const since = state.batchSince;
  if (since === null || state.claims.size > 0 || mayRowsReturn(step)) return;
  if (explainFullPause(world) !== null) return;
  const explain = explainForWorkers(state, world);
  const { passesByItself, atLimit } = lookAhead(world, {}, explain);
  if (passesByItself || atLimit) return;
  const reasons = world.queue.tasks.filter((task) => task.state.status === 'pending').map(explain);
  const done = findDone(state, since);
  if (done === null || reasons.some(isStillToCome)) return;
  const left = countLeft(world, explain) + countInvalid(step);
  step.record({ kind: 'raised', notices: [{ ...sumUp(state, done, now), left }] });
}

/** Explains a task as the claimer does, or, if it is not approved there, as a registered worker that may run it. */
function explainForWorkers(state: QueueState, world: World): Explain {
  const explain = explainOnce(world);
  const approved = explainOnce({ ...world, approvedRows: { trusted: true, approvals: new Set() } });
  const findApprover = searchApprover(withApprovals(state, state.workers));
  return (task) => {
    const reason = explain(task);
    return reason.state !== 'unapproved' || findApprover(task) === undefined ? reason : approved(task);
  };
}

/** Returns the number of tasks that wait for the user, themselves or in a task that they depend on. */
function countLeft({ queue: { tasks }, byId }: World, explain: Explain): number {
  const isLeft = (task: TaskView): boolean => explain(task).waitsFor === 'person';
  const left = new Set(tasks.filter(isLeft).map(({ definition }) => definition.id));
  const blocked = tasks.filter((task) => explain(task).waitsFor === 'task');
  const isBehindLeft = (task: TaskView): boolean =>
    task.definition.dependencies.some((id) => {
      const dependency = byId.get(id);
      return left.has(id) && dependency !== undefined && !isMet(dependency, task);
    });
  let before;
  do {
    before = left.size;
    for (const task of blocked) if (isBehindLeft(task)) left.add(task.definition.id);
  } while (left.size > before);
  const isPending = (task: TaskView): boolean =>
    task.state.status === 'pending' && explain(task).state !== 'dead';
  return tasks.filter((task) => isPending(task) && left.has(task.definition.id)).length;
}

/** Returns the number of rows that are not valid and have not ended: their tasks cannot start until the user fixes them. */
function countInvalid({ state, rows: { invalidIds } }: Step): number {
  return [...invalidIds].filter((id) => (currentTask(state, id)?.status ?? 'pending') === 'pending').length;
}

function isStillToCome({ state, waitsFor, causes }: Reason): boolean {
  if (state === 'ready') return true;
  // The schedule of a task that waits or retries is the end of quiet hours; its own time is that of a scheduled task. A task
  // for leftover capacity may wait for ever.
  const isForQuiet = (state === 'waiting' || state === 'retrying') && waitsFor === 'schedule';
  return isForQuiet && causes.every(({ kind }) => kind !== 'spare');
}

/** Attempts to sum up, and the first start of a task among them that will not run again by itself. */
interface Done {
  readonly since: EpochMs;
  readonly ended: readonly Attempt[];
}

/** Returns the attempts of the batch from that start on; null if only tasks ran that will run again by themselves. */
function findDone(state: QueueState, openedAt: EpochMs): Done | null {
  const batch = attemptsOfBatch(state);
  const isLast = ({ id }: Attempt): boolean => !willRepeat(currentTask(state, id));
  const first = batch.findIndex(isLast);
  if (first < 0) return null;
  const starts = batch.filter(isLast).map(({ startedAt }) => Math.max(startedAt, openedAt));
  const since = starts.reduce((least, start) => Math.min(least, start));
  // Those recorded later also count if the clock was set back meanwhile.
  return { since, ended: batch.filter(({ endedAt }, index) => index >= first || endedAt >= since) };
}

function willRepeat(task: TaskState | undefined): boolean {
  return task?.status === 'pending' && task.dueCause === 'repeat';
}

function sumUp(state: QueueState, { since, ended }: Done, until: EpochMs): Omit<AllDoneNotice, 'left'> {
  const last = new Map(ended.map((attempt) => [attempt.id, attempt]));
  const sum = { completed: 0, failed: 0, review: 0, cancelled: 0 };
  for (const [id, attempt] of last) {
    const task = currentTask(state, id);
    const end = task === undefined ? ENDS[attempt.outcome] : endOf(task);
    if (end !== undefined) sum[end] += 1;
  }
  const costUsd = sumUsd(ended.map((attempt) => attempt.costUsd ?? 0));
  const isCostOpen = ended.some((attempt) => attempt.costUsd === undefined);
  const { cancelled, ...counts } = sum;
  return {
    ...{ kind: 'all-done', since, until, ...counts, costUsd },
    ...(cancelled > 0 ? { cancelled } : {}),
    ...(isCostOpen ? { isCostOpen } : {}),
  };
}

type End = 'completed' | 'failed' | 'review' | 'cancelled';

/** Ends of a task whose row is gone, by its last attempt. */
const ENDS: Partial<Readonly<Record<Attempt['outcome'], End>>> = {
  success: 'completed',
  review: 'review',
  error: 'failed',
  permanent: 'failed',
  cancelled: 'cancelled',
};

function endOf({ status, lastOutcome, dueCause }: TaskState): End | undefined {
  if (status === 'cancelled') return 'cancelled';
  if (status === 'review' || lastOutcome === 'review') return 'review';
  if (status === 'completed' || lastOutcome === 'success') return 'completed';
  // A repeating task is pending again: it failed if it had neither success nor review.
  return status === 'failed' || dueCause === 'repeat' ? 'failed' : undefined;
}
