import type { AttemptEvents, Job, StopCause, Verdict } from '../../domain/task/attempt';
import { Fenced } from '../../domain/problem';
import { placeOfAttempt } from '../../domain/task/place';
import type { EpochMs } from '../../domain/time/epoch';
import type { Claimed } from '../../queue/taskQueue';
import type { AttemptLink } from './attemptLink';
import { releaseUnstarted } from './releaseClaim';
import { watchClaim } from './claimGuard';
import { createJob } from './createJob';
import type { WorkerDeps } from '../workerDeps';
import { recordEnd, reportFenced, type Ended } from './attemptEnd';
import { Admission, returnAdmission } from './admission';
import { runMeasured, type Measured, type MeasuredChanges, type MeasuredRun } from './measureChanges';
import { reportBefore, reportCheck } from './reportCheck';
import { verify } from './verify';
import { verifyBefore } from './verifyBefore';

/**
 * Runs a claimed task to its end and records it. `stop` ends the attempt. Returns null, with nothing recorded, in two
 * cases. Another owner has the claim, or the task was released because its process could not be recorded, or its folder
 * or prompt file changed. Its admission at the gate is then returned too.
 */
export async function runAttempt(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
  link: AttemptLink,
): Promise<Ended | null> {
  const startedAt = deps.clock.now();
  deps.events.started(claimed);
  const guard = watchClaim(deps, claimed, stop);
  const admission = new Admission(deps, claimed);
  const start = new RecordedStart(deps, claimed, admission);
  let verdict: Verdict;
  let endedAt: EpochMs;
  let lastEndedAt: EpochMs | null;
  let changes: Promise<MeasuredChanges>;
  try {
    const { folder } = placeOfAttempt(claimed.claim, claimed.definition);
    await deps.awaitUndo?.(folder, guard.signal);
    const job = await createJob(deps, claimed);
    lastEndedAt = job.last?.endedAt ?? null;
    const measured = measureWith(deps, claimed, startedAt, link);
    const ran = await runMeasured(measured, job, start.attemptEvents, guard.signal);
    ({ changes } = ran);
    admission.conclude(ran.verdict);
    ({ verdict, endedAt } = await runChecks(deps, job, ran, guard.signal));
  } catch (error) {
    if (error instanceof Fenced) return await dropFenced(deps, claimed);
    // A recorded attempt is left to recovery, which ends its leftover processes.
    if (start.isRecorded) throw error;
    const isPostponed = await releaseUnstarted(deps, claimed, stop, error);
    if (error === start.failure) return null;
    if (!isPostponed) throw error;
    deps.events.trouble(deps.describeError(error));
    return null;
  } finally {
    guard.end();
    await admission.settle();
  }
  if (guard.signal.reason === ('fenced' satisfies StopCause)) {
    return dropFenced(deps, claimed);
  }
  const news = admission.withNews(verdict);
  const run = { claimed, verdict: news, usage: verdict.usage, changes, startedAt, endedAt, lastEndedAt };
  return recordEnd(deps, run, stop, link);
}

function measureWith(
  deps: WorkerDeps,
  { claim: { id, attempt: number } }: Claimed,
  startedAt: EpochMs,
  { running, diffs }: AttemptLink,
): Measured {
  const runner = running?.stoppable(deps.runner) ?? deps.runner;
  return { ...deps, runner, diffs, attempt: { id, number, startedAt } };
}

/**
 * Runs the row's own check on the files after the attempt, and where the queue asks for it, on those before. The time of
 * the latter is not the attempt's: it is not late because its check says more.
 */
async function runChecks(
  deps: WorkerDeps,
  job: Job,
  ran: MeasuredRun,
  stop: AbortSignal,
): Promise<{ readonly verdict: Verdict; readonly endedAt: EpochMs }> {
  const checkDeps = { ...deps, mark: job.attemptMark };
  try {
    const checked = await verify(job, ran.verdict, checkDeps, stop);
    await reportCheck(deps, job, checked);
    const endedAt = deps.clock.now();
    const verdict = await verifyBefore(job, checked, ran.snapshot, checkDeps, stop);
    await reportBefore(deps, job, verdict);
    return { verdict, endedAt };
  } finally {
    (await ran.snapshot)?.drop();
  }
}

/** Returns the admission at the gate. Another owner has the task. */
async function dropFenced(deps: WorkerDeps, claimed: Claimed): Promise<null> {
  reportFenced(deps, claimed.claim);
  await returnAdmission(deps, claimed);
  return null;
}

/** Confirms the account and records the attempt's process before that is given anything to do. */
class RecordedStart {
  isRecorded = false;
  /** Error that kept the process from being recorded. */
  failure: unknown;
  readonly attemptEvents: AttemptEvents;

  constructor(
    { queue, gate, events, createId, describeError }: WorkerDeps,
    { claim }: Claimed,
    admission: Admission,
  ) {
    this.attemptEvents = {
      started: async (run) => {
        await gate.confirm();
        try {
          await queue.start(claim, run, createId());
          this.isRecorded = true;
          await admission.noteStarted(run);
        } catch (error) {
          this.failure = error;
          if (!(error instanceof Fenced)) {
            events.trouble(`Task ${String(claim.id)} could not be started: ${describeError(error)}`);
          }
          throw error;
        }
      },
      admitted: (usage, model) => {
        admission.noteAdmitted(usage, model);
      },
      line: (text, often) => {
        events.line(claim.id, text, often);
      },
    };
  }
}
