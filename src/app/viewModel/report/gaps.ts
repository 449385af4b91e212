import { findFullHold } from '../../../domain/queue/pauses';
import type { World } from '../../../domain/reasons/world';
import { findQuietForAll } from '../../../domain/time/quietHours';
import { BY_HAND, type Attempt } from '../../../domain/task/attempt';
import { isEndUnknown } from '../../../domain/task/runTime';
import type { EpochMs } from '../../../domain/time/epoch';
import { waitingSince } from '../../../domain/order/effectivePriority';
import type { Claim, Pause } from '../../../domain/queue/view';
import type { TaskId } from '../../../domain/task/task';
import type { ShownReason } from '../../present/reasons/reason';

/** Shortest time without an attempt that is reported, in ms. */
const LEAST_GAP_MS = 10 * 60_000;

type LossKind = 'worker-died' | 'redis-away';

/** Cause for which nothing ran, from what is on record. */
export type GapCause =
  /** A usage limit: `reason` is its kind. */
  | { readonly kind: 'limit'; readonly id: TaskId; readonly reason: string }
  /** The account let nothing through until the user acted: sign-in, billing. */
  | { readonly kind: 'account'; readonly id: TaskId; readonly reason: string; readonly message: string }
  /** `to`: null while it lasts. */
  | ({ readonly kind: 'paused'; readonly from: EpochMs; readonly to: EpochMs | null } & Pick<
      Pause,
      'why' | 'bound'
    >)
  /** The worker of this task died, or could not reach Redis, from an unknown time after the attempt's start. */
  | { readonly kind: LossKind; readonly id: TaskId; readonly startedAt: EpochMs }
  /** By the quiet hours as they are set now. */
  | { readonly kind: 'quiet' }
  /** This task was waiting for a recorded reason. */
  | { readonly kind: 'waiting'; readonly id: TaskId; readonly reason: ShownReason }
  /** This task was ready, and no worker was running. */
  | { readonly kind: 'no-worker'; readonly id: TaskId }
  /** No task is known to have been waiting. */
  | { readonly kind: 'nothing-due' }
  /** Nothing is recorded. `waiting`: a task that was waiting then, if one is known. */
  | { readonly kind: 'unknown'; readonly waiting: TaskId | null };

/** Time in which nothing ran. */
export interface Gap {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** It lasts until the end of the period. */
  readonly isOpen: boolean;
  /** Recorded causes; at least one, unless it is open. */
  readonly causes: readonly GapCause[];
}

type History = Pick<World, 'queue' | 'byId' | 'settings' | 'timeZone'>;

/** Start of an attempt that has ended or runs. */
type Start = Pick<Attempt, 'id' | 'startedAt' | 'waitedMs'>;

/**
 * Returns the times between `from` and `until` in which nothing ran, oldest first. `attempts` are all known ones. A lost
 * attempt counts as running only at its start, because nobody knows when it ended. A task that the user took by hand does
 * not count: it keeps no worker from others.
 */
export function findGaps(
  attempts: readonly Attempt[],
  { from, until }: { readonly from: EpochMs; readonly until: EpochMs },
  history: History,
): readonly Gap[] {
  const ran = attempts.filter((attempt) => attempt.reason !== BY_HAND && !isEndUnknown(attempt));
  const busy = [
    ...ran.map(({ startedAt, endedAt }) => ({ startedAt, endedAt })),
    ...listLosses(attempts, history).map(({ startedAt }) => ({ startedAt, endedAt: startedAt })),
    ...findRunning(history).map(({ at }) => ({ startedAt: at, endedAt: until })),
  ].sort((one, other) => one.startedAt - other.startedAt);
  const gaps: Omit<Gap, 'causes'>[] = [];
  let free = from;
  for (const { startedAt, endedAt } of [...busy, { startedAt: until, endedAt: until }]) {
    const to = Math.min(startedAt, until);
    if (to - free >= LEAST_GAP_MS) gaps.push({ from: free, to, isOpen: to === until });
    free = Math.max(free, endedAt);
  }
  return gaps.map((gap) => ({ ...gap, causes: findCauses(gap, attempts, history) }));
}

type Span = Omit<Gap, 'causes'>;

function findRunning({ queue }: History): readonly Claim[] {
  return queue.claims.filter(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
}

function findCauses(gap: Span, attempts: readonly Attempt[], history: History): readonly GapCause[] {
  const starts = [...attempts, ...findRunning(history).map((claim) => startOf(claim, attempts, history))];
  const found = [
    ...causeOfStop(gap, attempts, history),
    ...findLosses(gap, attempts, history),
    ...findPauses(gap, history),
    ...(isQuiet(gap, history) ? [{ kind: 'quiet' as const }] : []),
  ];
  if (found.length > 0 || gap.isOpen) return found;
  return [causeOfWaiting(gap, starts)];
}

/** Returns the start of a running attempt. It waited since it was due, or since the attempt before it. */
function startOf({ id, at, dueAt = 0 }: Claim, attempts: readonly Attempt[], { byId }: History): Start {
  const task = byId.get(id);
  if (task === undefined) return { id, startedAt: at };
  const ends = attempts.filter((attempt) => attempt.id === id).map(({ endedAt }) => endedAt);
  const since = Math.max(waitingSince(task, byId), dueAt, ...ends);
  return { id, startedAt: at, waitedMs: Math.max(0, at - since) };
}

function firstFrom(at: EpochMs, starts: readonly Start[]): Start | undefined {
  return starts
    .filter(({ startedAt }) => startedAt >= at)
    .reduce<Start | undefined>(
      (first, one) => (first === undefined || one.startedAt < first.startedAt ? one : first),
      undefined,
    );
}

/** Returns the limit, or the block of the account, after which no attempt started until the gap. */
function causeOfStop({ from }: Span, attempts: readonly Attempt[], history: History): GapCause[] {
  const lastStart = [...attempts, ...listLosses(attempts, history)]
    .filter(({ startedAt }) => startedAt <= from)
    .reduce((last, { startedAt }) => Math.max(last, startedAt), -Infinity);
  const stop = attempts.find(
    ({ outcome, endedAt }) =>
      (outcome === 'limit' || outcome === 'blocked') && endedAt <= from && endedAt >= lastStart,
  );
  if (stop === undefined) return [];
  const { id, outcome, reason, message } = stop;
  return outcome === 'limit' ? [{ kind: 'limit', id, reason }] : [{ kind: 'account', id, reason, message }];
}

/** A lost attempt. `endedAt` is when that was found. */
type Loss = Pick<Attempt, 'id' | 'startedAt' | 'endedAt'> & { readonly kind: LossKind };

function listLosses(attempts: readonly Attempt[], { queue }: History): readonly Loss[] {
  const dead = queue.claims
    .filter(({ ownerDied }) => ownerDied === true)
    .map(({ id, at }): Loss => ({ kind: 'worker-died', id, startedAt: at, endedAt: Infinity }));
  const lost = attempts.filter(isEndUnknown).map(({ id, startedAt, endedAt, note }): Loss => {
    const kind = note?.kind === 'redis-away' ? note.kind : 'worker-died';
    return { kind, id, startedAt, endedAt };
  });
  return [...lost, ...dead];
}

function findLosses(gap: Span, attempts: readonly Attempt[], history: History): GapCause[] {
  return listLosses(attempts, history)
    .filter(({ startedAt, endedAt }) => startedAt < gap.to && endedAt > gap.from)
    .map(({ kind, id, startedAt }) => ({ kind, id, startedAt }));
}

function findPauses(gap: Span, { queue }: History): readonly GapCause[] {
  const { holds, pauses } = queue;
  const held = findFullHold(holds);
  const ended = pauses.filter(
    ({ priorities, from, to }) => priorities === undefined && from < gap.to && to > gap.from,
  );
  const open = held !== null && held.at < gap.to ? [{ ...held, from: held.at, to: null }] : [];
  return [...ended, ...open].map(({ why, bound, from, to }) => ({
    ...{ kind: 'paused', why, from, to },
    ...(bound === undefined ? {} : { bound }),
  }));
}

/** Whether quiet hours for all priorities were in force in the middle of a gap. */
function isQuiet({ from, to }: Span, { settings, timeZone }: History): boolean {
  return findQuietForAll(settings.quietHours, from + (to - from) / 2, timeZone) !== null;
}

/**
 * Says whether a task that ran later was already waiting. A lost attempt does not say how long it had waited, so only the
 * others count.
 */
function causeOfWaiting({ to }: Span, starts: readonly Start[]): GapCause {
  const later = starts.filter(({ startedAt }) => startedAt >= to);
  const waiting = later.find(
    ({ startedAt, waitedMs }) => waitedMs !== undefined && startedAt - waitedMs <= to - LEAST_GAP_MS / 2,
  );
  if (waiting !== undefined) return { kind: 'unknown', waiting: waiting.id };
  return firstFrom(to, later)?.waitedMs === undefined
    ? { kind: 'unknown', waiting: null }
    : { kind: 'nothing-due' };
}
