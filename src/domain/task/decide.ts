import { FAILED_CODE, SESSION_IN_USE, SESSION_UNUSABLE, type ResumeCause, type Verdict } from './attempt';
import { saneReset } from '../gate/gate';
import { BAD_PROMPTS } from './ownMistakes';
import { nextTime } from '../time/schedule';
import type { Settings } from '../settings/settings';
import type { EpochMs } from '../time/epoch';
import type { Definition, Status } from './task';
import type { DueCause, TaskState } from '../queue/view';

/** Effect of an attempt's end on its task. */
export interface Change {
  readonly status: Status;
  readonly retryCount: number;
  readonly dueAt: EpochMs | null;
  readonly dueCause: DueCause | null;
  /** Reason why the next attempt continues in the same session; null: it starts a new one. */
  readonly resume: ResumeCause | null;
  /** The session is too large to continue. The next attempt starts another one, with a note about this one. */
  readonly handOver?: true;
  readonly transientInRow: number;
  readonly lostInRow: number;
  /** It succeeded: dependents count from now. */
  readonly succeeded: boolean;
  /** It failed, and the failure counts against its retries. */
  readonly counted?: true;
  /** Failed permanently, its retries used up. */
  readonly givenUp: boolean;
  /** Exit code of `claude-queue run` and of the logs: 0 to 3 as the queue's format defines them. */
  readonly code: number;
  /** Runs that a repeating task still makes up for. */
  readonly owedRuns?: number;
}

/** Effect of a success on a task that does not repeat and never failed. */
export const COMPLETION: Change = {
  status: 'completed',
  retryCount: 0,
  dueAt: null,
  dueCause: null,
  resume: null,
  transientInRow: 0,
  lostInRow: 0,
  succeeded: true,
  givenUp: false,
  code: 0,
};

/** Inputs of a decision besides the task and the verdict. */
export interface Circumstances {
  readonly now: EpochMs;
  /** 0 to 1. */
  readonly random: number;
  readonly settings: Settings;
  readonly timeZone: string;
  /** The account's gate is closed for the cause that stopped the run. Every task waits for it, including this one. */
  readonly isGateClosed?: boolean;
  /** End of the gate's block for the limit that was met; absent: use the reset that the run reported. */
  readonly closedUntil?: EpochMs;
}

/** Number of transient failures in a row that do not count. The next one counts as an error. */
const FREE_TRANSIENTS = 5;

/** Fields of a verdict that affect its task. */
type End = Pick<Verdict, 'outcome' | 'reason' | 'signal' | 'contextTokens'>;

/** Returns the effect of an attempt's end. Pure, and the only place that gives an outcome its meaning. */
export function decide(definition: Rules, state: Counts, verdict: End, circumstances: Circumstances): Change {
  const change = giveMeaning(definition, state, verdict, circumstances);
  return change.resume !== null && isTooLarge(verdict, circumstances.settings)
    ? { ...change, handOver: true }
    : change;
}

/**
 * Whether the session is too large to continue. One that Claude Code rejected never continues, regardless of its size
 * and of the settings.
 */
function isTooLarge({ reason, contextTokens }: End, { freshSessionAt }: Settings): boolean {
  // No model has answered in it: there is nothing to hand over, and a new one would be too large as well.
  if (contextTokens === undefined) return false;
  if (BAD_PROMPTS.includes(reason)) return true;
  return freshSessionAt > 0 && contextTokens >= freshSessionAt;
}

function giveMeaning(definition: Rules, state: Counts, verdict: End, circumstances: Circumstances): Change {
  const task = { definition, state, circumstances };
  switch (verdict.outcome) {
    case 'success':
      return { ...repeatOr(task, 'completed'), succeeded: true, code: 0 };
    case 'review':
      return { ...repeatOr(task, 'review'), code: 0 };
    case 'error':
      return countFailure(task, 'retry');
    case 'transient':
      if (verdict.reason === SESSION_IN_USE) return waitForSession(task);
      return { ...passTransient(task), ...(verdict.reason === SESSION_UNUSABLE ? { resume: null } : {}) };
    case 'limit':
      return waitForReset(task, verdict);
    case 'blocked':
      return { ...unchanged(task), resume: 'blocked', code: 2 };
    case 'permanent':
      return { ...unchanged(task), status: 'failed', resume: 'retry', code: FAILED_CODE };
    case 'cancelled':
      return verdict.reason === 'cancelled'
        ? { ...unchanged(task), status: 'cancelled', resume: 'stopped' }
        : { ...unchanged(task), resume: 'stopped' };
    case 'lost':
      return loseAttempt(task);
  }
}

/** Fields of a row that affect the end of its attempts. */
type Rules = Pick<Definition, 'repeat' | 'maxRetries'>;

/** Fields of a task's state that affect the end of its attempts. */
type Counts = Pick<TaskState, 'retryCount' | 'transientInRow' | 'lostInRow' | 'owedRuns'>;

/** Counts for a row that is gone or was edited meanwhile: they do not matter any more. */
export const NO_COUNTS: Counts = { retryCount: 0, transientInRow: 0, lostInRow: 0 };

interface Task {
  readonly definition: Rules;
  readonly state: Counts;
  readonly circumstances: Circumstances;
}

function unchanged({ state }: Task): Change {
  return {
    status: 'pending',
    retryCount: state.retryCount,
    dueAt: null,
    dueCause: null,
    resume: null,
    transientInRow: 0,
    lostInRow: 0,
    succeeded: false,
    givenUp: false,
    code: 1,
    ...(state.owedRuns === undefined ? {} : { owedRuns: state.owedRuns }),
  };
}

/**
 * A repeating task waits for its next time, or runs at once for a missed one. After a review or the last failure it waits:
 * the next run would replace what the user is to look at. Any other task ends with `status`.
 */
function repeatOr(task: Task, status: Status): Change {
  const { definition, state, circumstances } = task;
  if (definition.repeat === undefined) {
    return { ...unchanged(task), status, resume: status === 'review' ? 'retry' : null };
  }
  const { owedRuns = 0 } = state;
  if (owedRuns > 0 && status !== 'review' && status !== 'failed') {
    const now = {
      retryCount: 0,
      dueAt: circumstances.now,
      dueCause: 'repeat',
      owedRuns: owedRuns - 1,
    } as const;
    return { ...unchanged(task), ...now };
  }
  const dueAt = nextTime(definition.repeat, circumstances.now, circumstances.timeZone);
  return { ...unchanged(task), retryCount: 0, dueAt, dueCause: 'repeat' };
}

/** Counts a failed attempt. The task retries after a back-off, or has failed. */
function countFailure(task: Task, resume: ResumeCause): Change {
  // The user can write the highest number into the row. A state with a higher one could not be read again.
  const retryCount = Math.min(task.state.retryCount + 1, Number.MAX_SAFE_INTEGER);
  if (retryCount < task.definition.maxRetries) {
    const dueAt = task.circumstances.now + backoffMs(task.state.retryCount, task.circumstances);
    return { ...unchanged(task), retryCount, dueAt, dueCause: 'retry', resume, counted: true };
  }
  if (task.definition.repeat !== undefined) {
    return { ...repeatOr(task, 'failed'), counted: true, givenUp: true, code: FAILED_CODE };
  }
  return {
    ...unchanged(task),
    status: 'failed',
    retryCount,
    resume,
    counted: true,
    givenUp: true,
    code: FAILED_CODE,
  };
}

function passTransient(task: Task): Change {
  if (task.circumstances.isGateClosed === true) {
    return { ...unchanged(task), resume: 'interrupted', transientInRow: task.state.transientInRow };
  }
  const transientInRow = task.state.transientInRow + 1;
  if (transientInRow > FREE_TRANSIENTS) return countFailure(task, 'retry');
  const dueAt = task.circumstances.now + backoffMs(task.state.transientInRow, task.circumstances);
  return { ...unchanged(task), dueAt, dueCause: 'retry', resume: 'retry', transientInRow };
}

/**
 * Interval between attempts while another Claude Code has the session open. Its end is not reported, and each attempt
 * counts as a start.
 */
const SESSION_LOOK_MS = 10 * 60_000;

function waitForSession(task: Task): Change {
  const dueAt = task.circumstances.now + SESSION_LOOK_MS;
  // A transient cause, but not one that is counted.
  const { transientInRow } = task.state;
  return { ...unchanged(task), dueAt, dueCause: 'retry', resume: 'elsewhere', transientInRow };
}

function waitForReset(task: Task, verdict: Pick<Verdict, 'signal'>): Change {
  const { now, settings, closedUntil } = task.circumstances;
  const { signal } = verdict;
  const resetAt = signal === undefined ? now : (saneReset(signal.kind, signal.resetAt, now) ?? now);
  const dueAt = closedUntil ?? (resetAt > now ? resetAt : now + settings.limitFallback);
  return { ...unchanged(task), dueAt, dueCause: 'limit', resume: 'limit', code: 2 };
}

/** A lost run is not the task's fault the first time; from the second in a row on it counts. */
function loseAttempt(task: Task): Change {
  const lostInRow = task.state.lostInRow + 1;
  if (lostInRow > 1) return { ...countFailure(task, 'lost'), lostInRow };
  return { ...unchanged(task), resume: 'lost', lostInRow };
}

/** Maximum exponent of the back-off, beyond any bound. A row may claim that it failed a million times. */
const MOST_DOUBLINGS = 50;

/** Returns base × 2ⁿ with jitter to both sides, bounded. */
function backoffMs(failures: number, { random, settings }: Circumstances): number {
  const wait =
    settings.retryBackoff *
    2 ** Math.min(failures, MOST_DOUBLINGS) *
    (1 + settings.retryJitter * (2 * random - 1));
  return Math.round(Math.min(wait, settings.retryBackoffMax));
}

/** Whether the attempt counts as failed: the task failed permanently, or the failure counts against its retries. */
export function isFailure(change: Change): boolean {
  return change.code === FAILED_CODE || change.counted === true;
}
