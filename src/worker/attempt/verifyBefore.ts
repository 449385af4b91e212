import type { CheckBefore, CheckRun, Job, UnknownCause, Verdict } from '../../domain/task/attempt';
import { awaitsDecision } from '../../domain/task/reviewReasons';
import type { Definition } from '../../domain/task/task';
import { GitFailure } from '../../platform/git/git';
import type { Snapshot, SnapshotLook } from '../../platform/git/snapshot';
import { describeBefore } from '../../platform/text/sentences';
import type { WorkerDeps } from '../workerDeps';
import { runCheck, type CheckDeps } from './runCheck';

/** Variable that names the working directory of the task to the set-up command. */
const WORKING_DIR_VARIABLE = 'CLAUDE_QUEUE_WORKING_DIR';

/** Longest time in which the files may be written, in ms. */
const CHECK_OUT_MS = 5 * 60_000;

/** Dependencies of a check on the files before an attempt. */
export type BeforeDeps = CheckDeps & Pick<WorkerDeps, 'events' | 'describeError' | 'filesBefore'>;

/** Whether the check of a row is also to run on the files before its attempts. */
export function isVerifiedBefore({ verify, verifyBefore }: Definition): boolean {
  return verify !== undefined && verifyBefore !== undefined;
}

/**
 * Returns the verdict with what the check says about the files before the attempt; the outcome stays. Does nothing where
 * the check did not pass. It runs in copies of the files, which are removed, and while the attempt is still the task's: two
 * runs of a project's tests at once would fight for ports and databases. Where it fails there, it runs also in a copy of
 * the files after the attempt: only if it passes in that one, its failure says something about the files. This never
 * rejects. `stop` ends it.
 */
export async function verifyBefore(
  job: Job,
  verdict: Verdict,
  snapshot: Promise<Snapshot | undefined> | undefined,
  deps: BeforeDeps,
  stop: AbortSignal,
): Promise<Verdict> {
  const { check, outcome, reason, message } = verdict;
  if (snapshot === undefined || check?.result !== 'passed') return verdict;
  if (outcome === 'review' && awaitsDecision(reason)) return verdict;
  const { events, clock } = deps;
  const { id } = job.definition;
  events.line(id, 'Running the check on the files before the attempt.');
  const startedAt = clock.now();
  const found = await findBefore(job, await snapshot, deps, stop);
  const before: CheckBefore = { ...found, ms: Math.max(clock.now() - startedAt, 0) };
  return { ...verdict, message: `${message} ${describeBefore(before)}`, check: { ...check, before } };
}

type Found = Omit<CheckBefore, 'ms'>;

async function findBefore(
  job: Job,
  snapshot: Snapshot | undefined,
  deps: BeforeDeps,
  stop: AbortSignal,
): Promise<Found> {
  const { definition } = job;
  if (snapshot === undefined) return unknown('files');
  if (namesFolder(job)) return unknown('names-folder');
  const runIn = (look: SnapshotLook): Promise<Found> =>
    runInCopy(look, job, snapshot, deps, stop).catch((error: unknown) => {
      // The attempt is done, and must be recorded whatever hinders this.
      if (!(error instanceof GitFailure))
        deps.events.trouble(
          `The check of task ${String(definition.id)} could not run on the files before the attempt: ${deps.describeError(error)}`,
        );
      return unknown(stop.aborted ? 'stopped' : 'files', deps.describeError(error));
    });
  const before = await runIn('before');
  if (before.result === 'passed')
    return isContinued(job) ? { ...before, result: 'unknown', cause: 'continued' } : before;
  if (before.result === 'unknown') return before;
  const after = await runIn('after');
  if (after.result === 'passed') return before;
  return after.result === 'unknown' ? after : { ...after, result: 'unknown', cause: 'fails-in-copies' };
}

/** Whether the files before this attempt hold work of an earlier attempt at the same. */
function isContinued({ resume, handOver, last }: Job): boolean {
  const isUnfinished = last !== undefined && last.outcome !== 'success';
  return resume !== undefined || handOver !== undefined || isUnfinished;
}

/** A check that names its folder would look there, at the files after the attempt. */
function namesFolder({ definition, place: { folder, through = folder } }: Job): boolean {
  return (definition.verify ?? []).some((word) => word.includes(folder) || word.includes(through));
}

/** Runs the set-up and the check in a new copy of the files. @throws GitFailure and errors of the disk */
async function runInCopy(
  look: SnapshotLook,
  { definition, place }: Job,
  snapshot: Snapshot,
  deps: BeforeDeps,
  stop: AbortSignal,
): Promise<Found> {
  const { filesBefore } = deps;
  const { verify, verifyBefore: [setUp, ...words] = [] } = definition;
  if (filesBefore === undefined || verify === undefined) return unknown('files');
  const top = await filesBefore.scratch.make();
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(CHECK_OUT_MS)]);
    const folder = await snapshot.checkOut(look, top, signal);
    // A repository above the copy is none of the check's.
    const variables = { GIT_CEILING_DIRECTORIES: top };
    const run = (
      command: readonly [string, ...string[]],
      more: NodeJS.ProcessEnv,
    ): Promise<CheckRun | null> =>
      runCheck(
        command,
        { id: definition.id, place },
        { ...deps, copy: { folder, variables: { ...variables, ...more } } },
        stop,
      );
    if (setUp !== undefined) {
      const prepared = await run([setUp, ...words], { [WORKING_DIR_VARIABLE]: place.folder });
      if (prepared?.result !== 'passed')
        return prepared === null ? unknown('stopped') : failing('setup', prepared);
    }
    const checked = await run(verify, {});
    return checked === null ? unknown('stopped') : resultOf(checked);
  } finally {
    await filesBefore.scratch.remove(top);
  }
}

function resultOf(run: CheckRun): Found {
  const { result, ms: _part, before: _none, ...end } = run;
  return result === 'passed' || result === 'failed' ? { result, ...end } : failing(result, run);
}

function failing(cause: UnknownCause, { result: _run, ms: _part, before: _none, ...end }: CheckRun): Found {
  return { result: 'unknown', cause, ...end };
}

function unknown(cause: UnknownCause, output = ''): Found {
  return { result: 'unknown', cause, exitCode: null, output };
}

/** Removes the copies of files that killed workers left. */
export async function removeLeftovers({
  filesBefore,
  events,
  describeError,
}: Pick<WorkerDeps, 'filesBefore' | 'events' | 'describeError'>): Promise<void> {
  try {
    await filesBefore?.scratch.removeLeftovers();
  } catch (error) {
    events.trouble(`Copies of files for checks could not be removed: ${describeError(error)}`);
  }
}
