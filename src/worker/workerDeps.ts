import type { Runner, Verdict } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { Met } from '../domain/gate/gateReport';
import type { GateView, Starter } from '../domain/gate/limits';
import type { Choice } from '../domain/order/order';
import type { FingerprintedRow, ApprovalCheck } from '../domain/task/approval';
import type { Settings } from '../domain/settings/settings';
import type { EpochMs } from '../domain/time/epoch';
import type { TaskId } from '../domain/task/task';
import type { Claim, Hold, ProcessOwner } from '../domain/queue/view';
import type { Clock } from '../platform/clock';
import type { MeasureDiff } from '../platform/git/gitDiff';
import type { Processes } from '../platform/processes/processes';
import type { QueuePaths } from '../queue/queuePaths';
import type { Claimed, Idle, StopHow, TaskQueue, ClaimRequest } from '../queue/taskQueue';
import type { CheckedTask, CheckGround } from './attempt/check';

/** What a worker has to know of the account; `account/` has it. */
export interface WorkerGate {
  view(): Promise<GateView>;
  report(met: Met): Promise<GateView>;
  /** Whether a run may start now; with that it has its turn, where runs take turns. */
  admit(starter: Starter): Promise<boolean>;
}

/** What a worker tells while it works. */
export interface WorkerEvents {
  /** A run of a dead worker was returned to the queue. */
  lost(claim: Claim, change: Change): void;
  started(claimed: Claimed): void;
  /** A line of the run's output, fit for a terminal. */
  line(id: TaskId, text: string): void;
  ended(claimed: Claimed, verdict: Verdict, change: Change): void;
  /** Told once for each reason. */
  waiting(idle: Idle): void;
  /** The hold that an earlier stretch of work left at its bounds is lifted. */
  lifted(hold: Hold): void;
  /** The last editor window of the queue has gone, and this worker was to stop then. */
  windowsGone(how: StopHow): void;
  /** Something went wrong that the worker itself deals with. */
  trouble(message: string): void;
}

/**
 * How many tasks a worker runs at once: `min` as soon as they are ready; one more, up to `max`, while more are ready
 * than it runs.
 */
export interface Slots {
  readonly min: number;
  readonly max: number;
}

/** One task after another. */
export const ONE_SLOT: Slots = { min: 1, max: 1 };

/** What the owner of a queue has set, as far as a worker goes by it. */
export interface Rules {
  readonly settings: Settings;
  readonly timeZone: string;
}

/** Rules that their owner may change while a worker works. */
export interface LiveRules {
  /** As they last were right: for what has started. */
  readonly last: Rules;
  /** As they are now: for what is to start. @throws Problem `settings-invalid` */
  read(): Promise<Rules>;
}

/** Sends what the user is to be notified of. Never rejects. */
export interface WorkerNotices {
  /** Looks for what is due and sends it, in the background. */
  look(): void;
  /** Looks for the last time; comes back when that is sent, or takes too long. */
  finish(): Promise<void>;
}

/** Holds off the machine's sleep where the user asked for it. */
export interface WorkerAwake {
  /** Whether there is work for which the machine must be awake, from now on. */
  need(isNeeded: boolean): void;
  /** Allows sleep again. */
  end(): Promise<void>;
}

/** Everything that a worker works with. */
export interface WorkerDeps {
  readonly queue: TaskQueue;
  readonly gate: WorkerGate;
  readonly runner: Runner;
  /** What may run unattended, read again before each claim. */
  readonly readApprovedRows: () => Promise<ApprovalCheck>;
  /** The rules that the user added for this row after a refusal. */
  readonly readGrants?: (row: FingerprintedRow) => Promise<readonly string[]>;
  readonly rules: LiveRules;
  readonly clock: Clock;
  readonly random: () => number;
  /** A new UUID. */
  readonly createId: () => string;
  readonly processes: Processes;
  readonly owner: ProcessOwner;
  /** What it takes, and whose tasks first; absent: anything. */
  readonly choice?: Pick<Choice, 'priorities' | 'users'>;
  /** Absent: one task after another. */
  readonly slots?: Slots;
  /** It runs one task, and the user waits for its end: it does not continue for ever with what cannot be written. */
  readonly isSingle?: true;
  /** Since when it works. */
  readonly since: EpochMs;
  /** What a row's own check is run with there. */
  readonly prepareCheck: (task: CheckedTask) => Promise<CheckGround>;
  /** Starts to measure what a run changes in its directory; absent: it is not asked. */
  readonly measureDiff?: MeasureDiff;
  /** Where the queue keeps its files, among them the outputs. */
  readonly paths: QueuePaths;
  readonly events: WorkerEvents;
  /** Describes an error to the user. */
  readonly describeError: (error: unknown) => string;
  /** Absent: nobody is notified. */
  readonly notices?: WorkerNotices;
  /** Absent: sleep is never held off. */
  readonly awake?: WorkerAwake;
}

/** What this worker may take now. @throws Problem `settings-invalid` */
export async function buildClaimRequest(
  deps: WorkerDeps,
  choice: Pick<ClaimRequest, 'id' | 'override'>,
): Promise<ClaimRequest> {
  const { settings, timeZone } = await deps.rules.read();
  return {
    ...deps.choice,
    ...choice,
    owner: deps.owner,
    since: deps.since,
    gate: await deps.gate.view(),
    approvedRows: await deps.readApprovedRows(),
    settings,
    timeZone,
    freshSession: deps.createId(),
  };
}
