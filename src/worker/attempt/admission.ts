import type { Verdict } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { AttemptReport } from '../../domain/gate/gateReport';
import type { ModelChoice, Starter, WindowUsage } from '../../domain/gate/gate';
import { isProblem } from '../../domain/problem';
import { nameWorker } from '../../domain/queue/view';
import type { Claimed } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';

/**
 * Returns whether the gate admits the claimed task now. After a reset one task goes first, then one after another.
 */
export async function requestAdmission(deps: WorkerDeps, claimed: Claimed): Promise<boolean> {
  const starter: Starter = { ...starterOf(deps, claimed), process: deps.owner.process };
  try {
    return await deps.gate.admit(starter);
  } catch (error) {
    deps.events.trouble(`The account's gate could not be asked for admission: ${deps.describeError(error)}`);
    // The gate was open when the task was claimed. Starting out of order costs little; refusing could claim tasks in
    // vain without end. While Redis is away, nothing can be claimed.
    return !isProblem(error, 'redis-away');
  }
}

/** Returns an admission unused: no task needs to wait for the result of this one. */
export async function returnAdmission(deps: WorkerDeps, claimed: Claimed): Promise<void> {
  try {
    await deps.gate.report({ ...starterOf(deps, claimed), signal: null, usage: [] });
  } catch (error) {
    // An admission that is not used expires after a while.
    deps.events.trouble(`The account's gate could not be notified of the task: ${deps.describeError(error)}`);
  }
}

/**
 * Returns the gate report for the end of an attempt. `passed` is false: that requests were let through is reported
 * when it happens, which may be long ago.
 */
export function reportOf(deps: WorkerDeps, claimed: Claimed, verdict: Verdict): AttemptReport {
  const { signal, subagentLimits, usage, model } = verdict;
  return {
    ...starterOf(deps, claimed),
    signal: signal ?? null,
    usage,
    ...(subagentLimits === undefined ? {} : { subagentLimits }),
    ...(model === undefined ? {} : { attemptModel: model }),
    passed: false,
  };
}

function starterOf(
  { paths, owner }: WorkerDeps,
  { claim, definition: { model, workingDir } }: Claimed,
): ModelChoice & Pick<Starter, 'task' | 'worker' | 'machine'> {
  const task = { queue: paths.folder, id: claim.id };
  const who = { worker: nameWorker(owner), machine: owner.machine };
  return { task, ...who, workingDir, ...(model === undefined ? {} : { model }) };
}

/**
 * Reports to the gate, while an attempt runs, that its requests were let through, and the usage of the account's
 * windows.
 */
export class Admission {
  private reporting: Promise<void> = Promise.resolve();
  private known: readonly WindowUsage[] = [];
  private isReported = false;

  constructor(
    private readonly deps: WorkerDeps,
    private readonly claimed: Claimed,
  ) {}

  /** Reports the attempt's process. While it lives, no other task goes first. */
  async noteStarted(run: ProcessIdentity): Promise<void> {
    await this.report({
      ...starterOf(this.deps, this.claimed),
      signal: null,
      usage: [],
      startedProcess: run,
    });
  }

  /**
   * Called right after the attempt. If it reported nothing while it ran, its success is the first sign that requests
   * pass.
   */
  conclude({ outcome, model }: Verdict): void {
    if (outcome === 'success' && !this.isReported) this.noteAdmitted([], model);
  }

  noteAdmitted(usage: readonly WindowUsage[], model: string | undefined): void {
    this.isReported = true;
    const attemptModel = model === undefined ? {} : { attemptModel: model };
    const report: AttemptReport = {
      ...starterOf(this.deps, this.claimed),
      ...attemptModel,
      signal: null,
      usage,
      passed: true,
    };
    this.reporting = this.reporting.then(() => this.report(report));
  }

  private async report(report: AttemptReport): Promise<void> {
    try {
      await this.deps.gate.report(report);
      this.known = report.usage;
    } catch (error) {
      // The end of the attempt reports it again.
      this.deps.events.trouble(
        `The account's gate could not be notified of the attempt: ${this.deps.describeError(error)}`,
      );
    }
  }

  /**
   * Returns the verdict with only the usage that the gate has not heard. Usage that was reported before is as old as
   * that report.
   */
  withNews(verdict: Verdict): Verdict {
    const isKnown = ({ window, utilization, resetAt }: WindowUsage): boolean =>
      this.known.some(
        (one) => one.window === window && one.utilization === utilization && one.resetAt === resetAt,
      );
    return { ...verdict, usage: verdict.usage.filter((one) => !isKnown(one)) };
  }

  /** Waits until all reports are sent, so that no later report overtakes them. */
  async settle(): Promise<void> {
    await this.reporting;
  }
}
