import { BY_HAND, isUnconfirmed, SESSION_UNUSABLE, type Attempt } from '../../../domain/task/attempt';
import { hasDiff } from '../../../domain/task/attemptFacts';
import type { EpochMs } from '../../../domain/time/epoch';
import type { Change } from '../../../domain/task/decide';
import { NEEDS_ANSWER } from '../../../domain/task/reviewReasons';
import type { Status } from '../../../domain/task/task';
import { isInReview, type Claim, type TaskState } from '../../../domain/queue/view';
import { nameUnchanged, type SkippedRun } from '../../../domain/time/unchangedTree';
import type { QueueEvent, SeenRow } from '../events';

const FINISHED: readonly Status[] = ['completed', 'failed', 'cancelled', 'review'];

/** Returns the state of a task when its row is first seen. */
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

/** Returns the task after its owner wrote these shared cells. */
export function seeSharedCells(task: TaskState, row: SeenRow, at: EpochMs): TaskState {
  const { status, scheduledAt, retryCount = task.retryCount } = row;
  const timed: TaskState =
    scheduledAt === undefined
      ? task
      : {
          ...without(task, [...MISSED, 'catchUp']),
          ownerScheduledAt: scheduledAt,
          dueAt: null,
          dueCause: null,
        };
  // Only the program writes `running`. In a file it is the state before a checkpoint that an editor has not seen, or
  // what a crash left.
  if (status === undefined || status === 'running') return { ...timed, retryCount };
  const reopened = status === 'pending' && (timed.reopened || FINISHED.includes(timed.status));
  const lastSuccessAt = status === 'completed' ? (timed.lastSuccessAt ?? at) : timed.lastSuccessAt;
  // A status that the user sets needs no confirmation by Claude, and no review.
  return {
    ...without(timed, ['unconfirmed', 'unreviewed']),
    ...{ retryCount, status, reopened, lastSuccessAt },
  };
}

/**
 * Returns the task after an attempt, with no optional field of the task before unless it is named here. `isEdited`: its
 * row has another fingerprint by now.
 */
export function endAttempt(
  task: TaskState,
  claim: Claim,
  { at: endedAt, change, attempt }: Extract<QueueEvent, { kind: 'finished' }>,
  isEdited: boolean,
): TaskState {
  const { succeeded, owedRuns = 0 } = change;
  const { ownerScheduledAt, changed, catchUp, successTree } = task;
  const { at } = claim;
  const isEarly = ownerScheduledAt !== null && ownerScheduledAt > at;
  const turnAt = isEarly ? at : (occurrenceTimeOf(task, at) ?? task.turnAt);
  const { status, dueAt, dueCause } = isEdited ? task : change;
  return {
    id: task.id,
    power: task.power,
    status,
    retryCount: change.retryCount,
    // A task that the user ran early does not wait for its time afterwards.
    ownerScheduledAt: isEarly ? null : ownerScheduledAt,
    dueAt,
    dueCause,
    firstSeenAt: task.firstSeenAt,
    lastSuccessAt: succeeded ? endedAt : task.lastSuccessAt,
    transientInRow: change.transientInRow,
    lostInRow: change.lostInRow,
    reopened: false,
    lastOutcome: attempt.outcome,
    lastMessage: attempt.message,
    ...nextSession(claim, change, attempt.reason),
    ...askUser(claim, attempt),
    ...occurrenceAfter(change, endedAt, { catchUp, turnAt }),
    ...(attempt.note === undefined ? {} : { lastNote: attempt.note }),
    ...signsOf(attempt),
    ...noteChanged(claim, attempt, changed),
    ...keepTree(change, attempt, successTree),
    ...(owedRuns > 0 ? { owedRuns } : {}),
  };
}

/** Returns what the end of an attempt says about how far to trust it. */
function signsOf(attempt: Attempt): Pick<TaskState, 'refused' | 'unconfirmed' | 'unreviewed'> {
  const { outcome, reason, denials = [] } = attempt;
  return {
    ...(denials.length > 0 ? { refused: true } : {}),
    ...(isUnconfirmed(attempt) ? { unconfirmed: true } : {}),
    ...(outcome === 'success' && reason !== BY_HAND ? { unreviewed: true } : {}),
  };
}

/** Returns the tree and permissions of the last success: of this attempt, or of the one before if this is none. */
function keepTree(
  { succeeded }: Change,
  { tree, permissions }: Attempt,
  before: string | undefined,
): Pick<TaskState, 'successTree'> {
  const now = tree === undefined ? undefined : nameUnchanged(tree, permissions);
  const successTree = succeeded ? now : before;
  return successTree === undefined ? {} : { successTree };
}

/** Notes whether an attempt changed files, or continued the session of one that did. */
function noteChanged(
  { resume }: Claim,
  attempt: Attempt,
  before: TaskState['changed'],
): Pick<TaskState, 'changed'> {
  const isChanged = hasDiff(attempt) || (resume !== undefined && before === true);
  return isChanged ? { changed: true } : {};
}

/** Returns the occurrence that continues after an attempt, or the next one, which may catch up on a missed time. */
function occurrenceAfter(
  { dueCause, dueAt, owedRuns }: Change,
  endedAt: EpochMs,
  { catchUp, turnAt }: { readonly catchUp: TaskState['catchUp']; readonly turnAt: EpochMs | undefined },
): Pick<TaskState, 'turnAt' | 'catchUp'> {
  if (dueCause === 'repeat') {
    const isCatchUp = owedRuns !== undefined && dueAt !== null && dueAt <= endedAt;
    return isCatchUp ? { catchUp: true } : {};
  }
  return { ...(turnAt === undefined ? {} : { turnAt }), ...(catchUp === undefined ? {} : { catchUp }) };
}

/**
 * Returns the session of the next attempt: the same one, a new one that takes over from it, or an unrelated new one.
 */
function nextSession(
  { session, handOver, answered }: Claim,
  { resume, handOver: isTooLarge }: Change,
  reason: string,
): Pick<TaskState, 'session' | 'resume' | 'handOver' | 'answered'> {
  const withAnswer = answered === undefined ? {} : { answered };
  if (isTooLarge === true) return { session: null, resume, handOver: session, ...withAnswer };
  const from = handOver === undefined ? {} : { handOver };
  // The next session takes over the same things.
  const isAnew = reason === SESSION_UNUSABLE && (handOver !== undefined || answered !== undefined);
  if (isAnew) return { session: null, resume: 'retry', ...from, ...withAnswer };
  if (resume === null) return { session: null, resume };
  return { session, resume, ...from, ...withAnswer };
}

/**
 * Returns the question with which the attempt ended. Its session is kept here too, because a repeating task starts
 * its next occurrence without one.
 */
function askUser(
  { session, answered }: Claim,
  { outcome, reason, message }: Attempt,
): Pick<TaskState, 'question'> {
  if (outcome !== 'review' || reason !== NEEDS_ANSWER) return {};
  return { question: { text: message, session, ...(answered === undefined ? {} : { answered }) } };
}

/** Returns the task after the user answered its question. It runs again at once, in the session that asked. */
export function answerQuestion(task: TaskState, answer: string, at: EpochMs): TaskState {
  const { question } = task;
  if (question === undefined) return task;
  const { text, session, answered = [] } = question;
  return {
    ...without(withOccurrenceTime(task, at), [...ANSWERS, 'unreviewed']),
    status: 'pending',
    dueAt: null,
    dueCause: null,
    reopened: false,
    ...(task.resume === null ? { session } : {}),
    resume: 'answer',
    answered: [...answered, { question: text, answer }],
  };
}

/**
 * Returns the task after the user commented on its work. It runs again at once, in the session of its last attempt. An
 * answer or a comment that no attempt has read yet goes with it.
 */
export function commentOn(
  task: TaskState,
  { text, session }: Pick<Extract<QueueEvent, { kind: 'commented' }>, 'text' | 'session'>,
  at: EpochMs,
): TaskState {
  const { answered = [] } = task;
  const unread = task.resume === 'answer' || task.resume === 'comment' ? answered.at(-1) : undefined;
  if (unread !== undefined) {
    const both = { ...unread, answer: `${unread.answer}\n\n${text}` };
    return { ...tryAgain(task, at), answered: [...answered.slice(0, -1), both] };
  }
  return {
    ...tryAgain(task, at),
    ...(task.resume === null ? { session } : {}),
    resume: 'comment',
    answered: [...answered, { answer: text }],
  };
}

/**
 * Returns the task after the user accepted its last attempt. A repeating task still waits for its next time. One that
 * succeeded stays as it is.
 */
export function acceptAttempt(task: TaskState, at: EpochMs): TaskState {
  if (!isInReview(task)) return withoutReview(task);
  const end =
    task.dueCause === 'repeat'
      ? ({ status: 'pending', lastOutcome: 'success' } as const)
      : ({ status: 'completed' } as const);
  const { successTree: _ofEarlier, ...rest } = without(task, ANSWERS);
  return { ...rest, ...end, lastSuccessAt: at, session: null, resume: null };
}

/** Returns the task after the user retries it: it runs at once, as if it had never failed. */
export function tryAgain(task: TaskState, at: EpochMs): TaskState {
  const rest = without(withOccurrenceTime(task, at), ['question', 'unreviewed']);
  return {
    ...rest,
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
 * Returns the task with the due time of its occurrence in `turnAt`, before its next time replaces it. For an early
 * attempt that is the time at which it starts.
 */
function withOccurrenceTime(task: TaskState, at: EpochMs): TaskState {
  const turnAt = occurrenceTimeOf(task, at);
  return turnAt === null ? task : { ...task, turnAt, turnWaits: true };
}

/** Returns the due time of the occurrence of a repeating task that starts at `at`; null: it continues an earlier one. */
function occurrenceTimeOf({ dueCause, dueAt }: TaskState, at: EpochMs): EpochMs | null {
  return dueCause !== 'repeat' || dueAt === null ? null : Math.min(dueAt, at);
}

/** Claude's question to the user, and the answers. */
const ANSWERS = ['question', 'answered'] as const;
/** Times that passed before the attempt that is due. */
const MISSED = ['missed', 'owedRuns', 'caughtUp'] as const;

/**
 * Returns the task of a row that has this fingerprint again: it had another one (`previous`) meanwhile, or was removed.
 * Times that passed meanwhile are none of its own.
 */
export function takeUpAgain(task: TaskState, previous: TaskState | undefined, at: EpochMs): TaskState {
  const rest = without(task, [...MISSED, 'catchUp', 'turnAt', 'turnWaits']);
  const repeats = task.dueCause === 'repeat';
  if (previous === undefined) {
    const isOverdue = repeats && task.dueAt !== null && task.dueAt < at;
    return isOverdue ? { ...rest, dueAt: at } : task;
  }
  const waits = previous.dueCause === 'repeat' || previous.ownerScheduledAt !== null;
  const isDueNow = (repeats || task.turnAt !== undefined) && !waits;
  return isDueNow ? { ...rest, turnAt: at, turnWaits: true } : rest;
}

/** Returns the task when its last success no longer awaits the user: it was accepted or undone, or its row changed. */
export function withoutReview(task: TaskState): TaskState {
  return without(task, ['unreviewed']);
}

/** Returns the task with the skipped times of the row's task before it: each has one record, whatever the row says now. */
export function withSkippedOf({ skipped }: TaskState, task: TaskState): TaskState {
  return { ...without(task, ['skipped']), ...(skipped === undefined ? {} : { skipped }) };
}

/** Fields that a task need not have. */
type OptionalField = {
  [F in keyof TaskState]-?: undefined extends TaskState[F] ? F : never;
}[keyof TaskState];

/** Returns the task without these fields: itself, where it has none of them. */
function without(task: TaskState, fields: readonly OptionalField[]): TaskState {
  if (fields.every((field) => task[field] === undefined)) return task;
  const names: readonly string[] = fields;
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(task)) if (!names.includes(name)) others[name] = value;
  // The compiler does not follow names through entries. No required field is left out.
  return others as unknown as TaskState;
}

/** Time after which a task that could not start is due again, in ms. */
const POSTPONED_MS = 60_000;

/** Returns the task after it could not start. One whose time is still to come, which the user ran early, waits for it. */
export function postpone(task: TaskState, at: EpochMs): TaskState {
  const { dueAt, ownerScheduledAt } = task;
  if (Math.max(dueAt ?? -Infinity, ownerScheduledAt ?? -Infinity) > at) return task;
  return { ...withOccurrenceTime(task, at), dueAt: at + POSTPONED_MS, dueCause: 'retry' };
}

/** Returns the task after due times of it were skipped. Those that follow each other are kept as one. */
export function skipRun(task: TaskState, { skipped: fresh, dueAt }: SkippedRun): TaskState {
  const { skipped = [], ...rest } = without(task, MISSED);
  const last = skipped.at(-1);
  const isNext = last?.why === fresh.why && last.pause === undefined;
  const times = isNext
    ? [...skipped.slice(0, -1), { ...last, to: fresh.to, count: last.count + fresh.count }]
    : [...skipped, fresh];
  return { ...rest, dueAt, skipped: times };
}

/** Returns the changes after a repeating task missed times. Skipped times are kept. */
export function settleTimes(
  task: TaskState,
  { count, dueAt, owedRuns = 0, caughtUp, lastAt, skipped: fresh }: Extract<QueueEvent, { kind: 'missed' }>,
): Partial<TaskState> {
  const { missed = 0, skipped = [] } = task;
  const { dueAt: from } = task;
  const ofOlder =
    from === null || lastAt === undefined
      ? []
      : [{ why: 'skipped', from, to: lastAt, count: count - missed } as const];
  const more = fresh ?? ofOlder;
  return {
    ...(count === 0 ? {} : { missed: count }),
    dueAt,
    owedRuns,
    ...(caughtUp === undefined ? {} : { caughtUp }),
    ...(more.length === 0 ? {} : { skipped: [...skipped, ...more] }),
  };
}
