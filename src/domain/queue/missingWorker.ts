import type { EpochMs } from '../time/epoch';
import { parseRepeatInterval, nextTime } from '../time/schedule';
import type { TaskId } from '../task/task';
import type { Claim, RegisteredWorker } from './view';

/** A timer of the machine that starts workers on a queue. */
export interface Timer {
  /** Program that starts them: `crontab`, `systemd`, `launchd`. */
  readonly by: string;
  /** Start times, as cron expressions by the machine's clock. */
  readonly crons: readonly string[];
  /** Machine that has it, and the zone of that machine's clock; absent: an older program recorded it. */
  readonly machine?: string;
  readonly timeZone?: string;
  /** Time of its installation. */
  readonly since: EpochMs;
  /** Time of the last start of a worker; null: never yet. */
  readonly startedAt: EpochMs | null;
  /** Time of the first of the starts after which no worker registered; absent: one did after the last start. */
  readonly noWorkerSince?: EpochMs;
  /** Time at which the last worker that it started ended; absent: none has since its installation. */
  readonly ranUntil?: EpochMs;
}

/** Returns the timer after a worker registered. */
export function noteRegistered({ noWorkerSince: _, ...timer }: Timer): Timer {
  return timer;
}

/** Returns the timer after a worker that it started ended. */
export function noteEnded(timer: Timer, at: EpochMs): Timer {
  return { ...timer, ranUntil: at };
}

/** Work that should continue and does not, although the user did not stop it. */
export type MissingWorker =
  /** The timer should have started a worker at `expectedAt`. */
  | { readonly kind: 'timer-late'; readonly timer: Timer; readonly expectedAt: EpochMs }
  /** These tasks are due, or lost their worker, and no worker lives, or those that do take none of them (`others`). */
  | { readonly kind: 'no-worker'; readonly ids: readonly TaskId[]; readonly others?: true };

/** Silent work, and when to check again. */
export interface WorkerCheck {
  readonly found: readonly MissingWorker[];
  /** When more work may become silent by time alone; null: only after a change. */
  readonly lookAgainAt: EpochMs | null;
}

/** Tolerance for a timer that starts a worker late, and for a worker that registers late. */
export const TIMER_GRACE_MS = 5 * 60_000;

/** Facts from which silence is found. */
export interface WorkerFacts {
  readonly claims: readonly Claim[];
  /** The live workers of this machine. */
  readonly workers: readonly Pick<RegisteredWorker, 'byTimer'>[];
  readonly timer: Timer | null;
  /** The tasks that could start now, and that no live worker takes. */
  readonly dueIds: readonly TaskId[];
  /** When the next task becomes due; null: none by time alone. */
  readonly nextDueAt: EpochMs | null;
  readonly now: EpochMs;
  /** The zone of the timer's machine: it follows that clock. */
  readonly timeZone: string;
}

/**
 * Returns the silent work. A timer that is on time takes care of due tasks, unless its workers do not register. A timer
 * whose times cannot be read is ignored. One is not late while a worker that it started runs: systemd and launchd start
 * no second one.
 */
export function findMissingWorkers(facts: WorkerFacts): WorkerCheck {
  const { timer, nextDueAt, now, timeZone, workers } = facts;
  const expectedAt = timer === null ? null : expectedStart(timer, timeZone);
  const isRunning = workers.some(({ byTimer }) => byTimer === true);
  const lateAt = expectedAt === null || isRunning ? Infinity : expectedAt + TIMER_GRACE_MS + 1;
  const failedAt = failedFrom(timer);
  const unseen = expectedAt === null || now >= Math.min(lateAt, failedAt) ? findUnseen(facts) : [];
  const ahead = [lateAt, failedAt, nextDueAt ?? Infinity].filter((at) => at > now && at < Infinity);
  return {
    found: [
      ...(timer !== null && expectedAt !== null && now >= lateAt
        ? [{ kind: 'timer-late', timer, expectedAt } as const]
        : []),
      ...unseen,
    ],
    lookAgainAt: ahead.length === 0 ? null : Math.min(...ahead),
  };
}

/** Returns from when on the timer's workers count as unable to start; Infinity: they start. */
function failedFrom(timer: Timer | null): EpochMs {
  return timer?.noWorkerSince === undefined ? Infinity : timer.noWorkerSince + TIMER_GRACE_MS;
}

/** Returns the tasks that are due, or lost their worker, if no worker runs on the queue, or takes them. */
function findUnseen({ claims, workers, dueIds }: WorkerFacts): MissingWorker[] {
  const runs = claims.filter(({ owner }) => owner.kind === 'process');
  const lost = runs.filter(({ ownerDied }) => ownerDied === true).map(({ id }) => id);
  if (workers.length > 0)
    return dueIds.length === 0 ? [] : [{ kind: 'no-worker', ids: dueIds, others: true }];
  const ids = lost.length < runs.length ? [] : [...new Set([...lost, ...dueIds])];
  return ids.length === 0 ? [] : [{ kind: 'no-worker', ids }];
}

/** Returns when the timer should start the next worker; null: its times cannot be read. */
export function expectedStart(
  { crons, since, startedAt, ranUntil }: Timer,
  timeZone: string,
): EpochMs | null {
  return nextStart(crons, Math.max(since, startedAt ?? since, ranUntil ?? since), timeZone);
}

/** Returns the first time after `from` at which one of these cron expressions starts a worker; null: none can be read. */
export function nextStart(crons: readonly string[], from: EpochMs, timeZone: string): EpochMs | null {
  const times = crons.flatMap((cron) => {
    const interval = parseRepeatInterval(cron);
    return interval === null ? [] : [nextTime(interval, from, timeZone)];
  });
  return times.length === 0 ? null : times.reduce((soonest, time) => Math.min(soonest, time));
}
