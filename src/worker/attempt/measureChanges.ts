import type { AttemptEvents, Job, Runner, Verdict } from '../../domain/task/attempt';
import type { DiffMeasure } from '../../platform/git/changeMeasure';
import type { AttemptName } from '../../platform/git/keptTrees';
import type { Change } from '../../platform/git/repositoryCopy';
import type { Snapshot } from '../../platform/git/snapshot';
import type { WorkerDeps } from '../workerDeps';
import type { DiffChain } from './diffChain';
import { isVerifiedBefore } from './verifyBefore';

/** Facts about the directory after an attempt. What is not known is absent. */
export type MeasuredChanges = Pick<Verdict, 'diff' | 'isDiffPartial' | 'changedTests' | 'tree'>;

/** Needs of an attempt whose changes are measured. */
export interface Measured extends Pick<WorkerDeps, 'events' | 'describeError' | 'keptTrees' | 'filesBefore'> {
  readonly runner: Pick<Runner, 'run'>;
  readonly diffs: DiffChain;
  readonly attempt: AttemptName;
}

/** Verdict of an attempt, with facts about its files. */
export interface MeasuredRun {
  readonly verdict: Verdict;
  /** Its changes, once they are known. */
  readonly changes: Promise<MeasuredChanges>;
  /** Files before and after it, once they are known; absent: no check needs them. The caller drops it. */
  readonly snapshot?: Promise<Snapshot | undefined>;
}

/**
 * Returns the verdict, and later what it changed. The directory is looked at while the process starts, before it
 * gets its prompt, and again while the end is decided, but before the row's own check, which may build things.
 */
export async function runMeasured(
  deps: Measured,
  job: Job,
  events: AttemptEvents,
  stop: AbortSignal,
): Promise<MeasuredRun> {
  const { runner, diffs, filesBefore } = deps;
  const { folder } = job.place;
  let snapshot: Promise<Snapshot | undefined> | undefined;
  let measuring = Promise.resolve<DiffMeasure | undefined>(undefined);
  let isStarted = false;
  const started: AttemptEvents['started'] = async (process) => {
    if (!isStarted) {
      measuring = diffs.start(folder, stop);
      if (isVerifiedBefore(job.definition)) snapshot = filesBefore?.take(folder, stop);
    }
    isStarted = true;
    await Promise.all([events.started(process), measuring, snapshot]);
  };
  let verdict: Verdict;
  try {
    verdict = await runner.run(job, { ...events, started }, stop);
  } catch (error) {
    (await measuring)?.drop();
    (await snapshot)?.drop();
    throw error;
  }
  const measure = await measuring;
  const changes = measure === undefined ? Promise.resolve({}) : endMeasure(measure, job, deps);
  if (job.definition.verify === undefined) {
    if (measure !== undefined) diffs.keep(measure);
    return { verdict, changes };
  }
  // Changes by the row's own check belong to no attempt.
  await Promise.all([changes, snapshot?.then((taken) => taken?.end())]);
  measure?.drop();
  return { verdict, changes, ...(snapshot === undefined ? {} : { snapshot }) };
}

/** Longest time that the trees of an attempt may take to be kept, in ms. */
const KEEP_MS = 60_000;

/**
 * Returns what the attempt changed, and keeps the trees before and after. What fails is reported and does not affect the
 * attempt: this never rejects.
 */
async function endMeasure(
  measure: DiffMeasure,
  { definition }: Job,
  { events, describeError, keptTrees, attempt }: Measured,
): Promise<MeasuredChanges> {
  let change: Change | undefined;
  let tree: string | undefined;
  try {
    change = await measure.end();
    if (change !== undefined && definition.unlessUnchanged === true) tree = await measure.hash();
    if (change !== undefined) await keptTrees?.keep(attempt, change, AbortSignal.timeout(KEEP_MS));
  } catch (error) {
    const what = change === undefined ? 'measured' : 'kept';
    events.trouble(
      `The changes of task ${String(definition.id)} could not be ${what}: ${describeError(error)}`,
    );
  }
  return {
    ...(change === undefined ? {} : { diff: change.size, changedTests: change.changedTests }),
    ...(change === undefined || change.leftOut.length === 0 ? {} : { isDiffPartial: true }),
    ...(tree === undefined ? {} : { tree }),
  };
}
