import type { Verdict } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Met } from '../../domain/gate/gateReport';
import type { ModelChoice, Starter, WindowUsage } from '../../domain/gate/limits';
import { nameWorker } from '../../domain/queue/view';
import type { Claimed } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';

/** Whether the claimed task may start now; after a reset one goes first, and then one after another. */
export async function requestAdmission(deps: WorkerDeps, claimed: Claimed): Promise<boolean> {
  const starter: Starter = { ...whoseRun(deps, claimed), process: deps.owner.process };
  try {
    return await deps.gate.admit(starter);
  } catch (error) {
    // It was open when the task was claimed. Out of turn a run costs little; without end no task is claimed in vain.
    deps.events.trouble(`The account's gate could not be asked for admission: ${deps.describeError(error)}`);
    return true;
  }
}

/** The run came to nothing: nobody needs to wait for what it would have shown. */
export async function returnAdmission(deps: WorkerDeps, claimed: Claimed): Promise<void> {
  try {
    await deps.gate.report({ ...whoseRun(deps, claimed), signal: null, usage: [] });
  } catch (error) {
    // A turn that nobody takes is void after a while.
    deps.events.trouble(`The account's gate could not be notified of the task: ${deps.describeError(error)}`);
  }
}

/** What the end of a run says to the gate. That its requests were let through is told when they are: it may be long ago. */
export function metBy(deps: WorkerDeps, claimed: Claimed, verdict: Verdict): Met {
  const { signal, helperLimits, usage, model } = verdict;
  return {
    ...whoseRun(deps, claimed),
    signal: signal ?? null,
    usage,
    ...(helperLimits === undefined ? {} : { helperLimits }),
    ...(model === undefined ? {} : { runModel: model }),
    passed: false,
  };
}

function whoseRun(
  { paths, owner }: WorkerDeps,
  { claim, definition: { model, workingDir } }: Claimed,
): ModelChoice & Pick<Starter, 'task' | 'worker'> {
  const task = { queue: paths.folder, id: claim.id };
  return { task, worker: nameWorker(owner), workingDir, ...(model === undefined ? {} : { model }) };
}

/** Tells the gate, while a run continues, that it was let through, and how full the account's windows are. */
export class Admission {
  private reporting: Promise<void> = Promise.resolve();
  private known: readonly WindowUsage[] = [];
  private isReported = false;

  constructor(
    private readonly deps: WorkerDeps,
    private readonly claimed: Claimed,
  ) {}

  /** There is a process now: as long as it lives, nobody else goes first. */
  async begin(run: ProcessIdentity): Promise<void> {
    await this.report({ ...whoseRun(this.deps, this.claimed), signal: null, usage: [], begun: run });
  }

  /** Right after the run: of one that tells nothing while it continues, its success is the first sign. */
  conclude({ outcome, model }: Verdict): void {
    if (outcome === 'success' && !this.isReported) this.noteAdmitted([], model);
  }

  noteAdmitted(usage: readonly WindowUsage[], model: string | undefined): void {
    this.isReported = true;
    const runModel = model === undefined ? {} : { runModel: model };
    const met: Met = {
      ...whoseRun(this.deps, this.claimed),
      ...runModel,
      signal: null,
      usage,
      passed: true,
    };
    this.reporting = this.reporting.then(() => this.report(met));
  }

  private async report(met: Met): Promise<void> {
    try {
      await this.deps.gate.report(met);
      this.known = met.usage;
    } catch (error) {
      // The end of the run tells it again.
      this.deps.events.trouble(
        `The account's gate could not be notified of the attempt: ${this.deps.describeError(error)}`,
      );
    }
  }

  /** The end of the run with what the gate has not heard: what it was told before is as old as it was then. */
  withNews(verdict: Verdict): Verdict {
    const isKnown = ({ window, utilization, resetAt }: WindowUsage): boolean =>
      this.known.some(
        (one) => one.window === window && one.utilization === utilization && one.resetAt === resetAt,
      );
    return { ...verdict, usage: verdict.usage.filter((one) => !isKnown(one)) };
  }

  /** What the run met later must not be told before. */
  async settle(): Promise<void> {
    await this.reporting;
  }
}
