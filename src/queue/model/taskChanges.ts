import { SESSION_UNUSABLE } from '../../domain/attempt';
import type { EpochMs } from '../../domain/epoch';
import type { Change } from '../../domain/decide';
import type { Status } from '../../domain/task';
import type { Claim, TaskState } from '../../domain/view';
import type { QueueEvent, SeenRow } from './events';

const FINISHED: readonly Status[] = ['completed', 'failed', 'cancelled', 'review'];

/** What is known of a task when its row is first met. */
export function newTask(row: SeenRow, at: EpochMs): TaskState {
  return {
    id: row.id,
    power: row.power,
    status: 'pending',
    retryCount: 0,
    ownerScheduledAt: null,
    dueAt: null,
    dueCause: null,
    firstSeenAt: at,
    lastSuccessAt: null,
    session: null,
    resume: null,
    transientInRow: 0,
    lostInRow: 0,
    reopened: false,
    lastOutcome: null,
    lastMessage: null,
  };
}

/** The task after its owner wrote these shared cells. */
export function seeSharedCells(task: TaskState, row: SeenRow, at: EpochMs): TaskState {
  let seen = task;
  if (row.retryCount !== undefined) seen = { ...seen, retryCount: row.retryCount };
  if (row.scheduledAt !== undefined) {
    seen = { ...withoutMissed(seen), ownerScheduledAt: row.scheduledAt, dueAt: null, dueCause: null };
  }
  const { status } = row;
  // `running` is the program's own word: in a file it is what an editor has not seen the end of, or a crash left.
  if (status === undefined || status === 'running') return seen;
  const reopened = status === 'pending' && (seen.reopened || FINISHED.includes(seen.status));
  const lastSuccessAt = status === 'completed' ? (seen.lastSuccessAt ?? at) : seen.lastSuccessAt;
  return { ...seen, status, reopened, lastSuccessAt };
}

/** The task after an attempt; `isEdited`: its row has another power by now. */
export function endAttempt(
  task: TaskState,
  claim: Claim,
  { at: endedAt, change, attempt }: Extract<QueueEvent, { kind: 'finished' }>,
  isEdited: boolean,
): TaskState {
  const { status, dueAt, dueCause, owedRuns = 0 } = change;
  const { ownerScheduledAt } = task;
  const { at } = claim;
  const known = withoutMissed(withTurn(task, at));
  const { turnAt, untold: _before, handOver: _last, refused: _then, ...rest } = known;
  return {
    ...rest,
    ...nextSession(claim, change, attempt.reason),
    ...(turnAt === undefined || dueCause === 'repeat' ? {} : { turnAt }),
    retryCount: change.retryCount,
    transientInRow: change.transientInRow,
    lostInRow: change.lostInRow,
    lastOutcome: attempt.outcome,
    lastMessage: attempt.message,
    ...((attempt.denials ?? []).length > 0 ? { refused: true } : {}),
    reopened: false,
    // Whoever ran it before its time did not mean that it should wait for it after all.
    ownerScheduledAt: ownerScheduledAt !== null && ownerScheduledAt > at ? null : ownerScheduledAt,
    ...(change.succeeded ? { lastSuccessAt: endedAt } : {}),
    ...(isEdited ? {} : { status, dueAt, dueCause }),
    ...(owedRuns > 0 ? { owedRuns } : {}),
  };
}

/** The session of the next attempt: the same, a new one that takes its place, or a new one that knows of none. */
function nextSession(
  { session, handOver }: Claim,
  { resume, handOver: isTooLarge }: Change,
  reason: string,
): Pick<TaskState, 'session' | 'resume' | 'handOver'> {
  if (isTooLarge === true) return { session: null, resume, handOver: session };
  // What it was to take over is still to be taken over.
  const isAnew = reason === SESSION_UNUSABLE && handOver !== undefined;
  if (isAnew) return { session: null, resume: 'retry', handOver };
  if (resume === null) return { session: null, resume };
  return { session, resume, ...(handOver === undefined ? {} : { handOver }) };
}

/** The task after a person wants it run at once, as if it had never failed. */
export function tryAgain(task: TaskState, at: EpochMs): TaskState {
  return {
    ...withTurn(task, at),
    status: 'pending',
    retryCount: 0,
    dueAt: null,
    dueCause: null,
    reopened: false,
    transientInRow: 0,
    lostInRow: 0,
  };
}

/**
 * The task with the time at which its turn came, which its next time is about to take the place of. A run before its
 * time has its turn when it begins.
 */
function withTurn(task: TaskState, at: EpochMs): TaskState {
  if (task.dueCause !== 'repeat' || task.dueAt === null) return task;
  return { ...task, turnAt: Math.min(task.dueAt, at) };
}

/** Without the times that went by before the run that is due. */
function withoutMissed(task: TaskState): TaskState {
  const { missed: _told, owedRuns: _madeUpFor, ...rest } = task;
  return rest;
}
