import type { DiffSize, Job, AttemptEvents, StopCause, Verdict } from '../../domain/task/attempt';
import { Fenced, isProblem } from '../../domain/problem';
import { folderOf } from '../../domain/task/task';
import type { DiffMeasure } from '../../platform/git/gitDiff';
import type { Claimed } from '../../queue/taskQueue';
import { releaseClaim } from './mayStart';
import { watchClaim } from './claimGuard';
import { createJob } from './createJob';
import type { WorkerDeps } from '../workerDeps';
import { recordEnd, reportFenced, type Ended } from './attemptEnd';
import { Admission, returnAdmission } from './admission';
import { reportCheck } from './reportCheck';
import { verify } from './verify';

/**
 * Runs a claimed task to its end and records it. `stop` ends the attempt; `wantsNext` returns whether to claim the
 * next task in the same step. Returns null, with nothing recorded, in two cases. Another owner has the claim, or the
 * task was released because its process could not be recorded or its folder moved. Its admission at the gate is then
 * returned too.
 */
export async function runAttempt(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
  wantsNext: () => boolean,
): Promise<Ended | null> {
  const startedAt = deps.clock.now();
  deps.events.started(claimed);
  const guard = watchClaim(deps, claimed, stop);
  const admission = new Admission(deps, claimed);
  const start = new RecordedStart(deps, claimed, admission);
  let verdict: Verdict;
  try {
    const job = await createJob(deps, claimed);
    const ran = await runMeasured(deps, job, start.attemptEvents, guard.signal);
    admission.conclude(ran);
    verdict = await verify(claimed.definition, ran, { ...deps, mark: job.attemptMark }, guard.signal);
    await reportCheck(deps, job, verdict);
  } catch (error) {
    if (error instanceof Fenced) return await dropFenced(deps, claimed);
    // A recorded attempt is left to recovery, which ends its leftover processes.
    if (start.isRecorded) throw error;
    await releaseClaim(deps, claimed, stop);
    if (error === start.failure) return null;
    if (isProblem(error, 'folder-moved')) {
      deps.events.trouble(deps.describeError(error));
      return null;
    }
    throw error;
  } finally {
    guard.end();
    await admission.settle();
  }
  if (guard.signal.reason === ('fenced' satisfies StopCause)) {
    return dropFenced(deps, claimed);
  }
  const endedAt = deps.clock.now();
  const run = { claimed, verdict: admission.withNews(verdict), startedAt, endedAt };
  return recordEnd(deps, run, stop, wantsNext);
}

/** Returns the admission at the gate. Another owner has the task. */
async function dropFenced(deps: WorkerDeps, claimed: Claimed): Promise<null> {
  reportFenced(deps, claimed.claim);
  await returnAdmission(deps, claimed);
  return null;
}

/**
 * Returns the verdict with the size of the changes. The directory is looked at while the runner prepares, and again
 * before the row's own check, which may build things.
 */
async function runMeasured(
  deps: WorkerDeps,
  job: Job,
  events: Omit<AttemptEvents, 'ready'>,
  stop: AbortSignal,
): Promise<Verdict> {
  const { runner, measureDiff } = deps;
  const measuring = measureDiff?.(folderOf(job.definition), stop);
  const ready = async (): Promise<void> => {
    await measuring;
  };
  let verdict: Verdict;
  try {
    verdict = await runner.run(job, { ...events, ready }, stop);
  } catch (error) {
    await (await measuring)?.end();
    throw error;
  }
  const diff = await endMeasure(await measuring, job, deps);
  return diff === undefined ? verdict : { ...verdict, diff };
}

/** Returns the size of the changes. A failed measurement is reported and does not affect the attempt. */
async function endMeasure(
  measure: DiffMeasure | undefined,
  { definition }: Job,
  { events, describeError }: Pick<WorkerDeps, 'events' | 'describeError'>,
): Promise<DiffSize | undefined> {
  try {
    return await measure?.end();
  } catch (error) {
    events.trouble(
      `The changes of task ${String(definition.id)} could not be measured: ${describeError(error)}`,
    );
    return undefined;
  }
}

/** Records the attempt's process before it is given anything to do. */
class RecordedStart {
  isRecorded = false;
  /** Error that kept the process from being recorded. */
  failure: unknown;
  readonly attemptEvents: Omit<AttemptEvents, 'ready'>;

  constructor(
    { queue, events, createId, describeError }: WorkerDeps,
    { claim }: Claimed,
    admission: Admission,
  ) {
    this.attemptEvents = {
      started: async (run) => {
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
      line: (text) => {
        events.line(claim.id, text);
      },
    };
  }
}
