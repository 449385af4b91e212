import type { Attempt, Runner, Verdict } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { AttemptReport } from '../domain/gate/gateReport';
import type { GateView, Starter } from '../domain/gate/gate';
import type { Choice } from '../domain/order/choice';
import type { Slots } from '../domain/order/slots';
import type { FingerprintedRow, ApprovalSet } from '../domain/task/approval';
import type { Settings } from '../domain/settings/settings';
import type { EpochMs } from '../domain/time/epoch';
import type { TaskId } from '../domain/task/task';
import type { Hold, ProcessOwner } from '../domain/queue/view';
import type { Clock } from '../platform/clock';
import type { MeasureDiff } from '../platform/git/changeMeasure';
import type { KeptTrees } from '../platform/git/keptTrees';
import type { Processes } from '../platform/processes/processes';
import type { QueuePaths } from '../queue/queuePaths';
import type { Claimed, Idle, Lost, TaskQueue, ClaimRequest } from '../queue/taskQueue';
import type { StopHow } from '../domain/queue/workerStop';
import type { CheckedTask, CheckGround } from './attempt/runCheck';
import type { FilesBefore } from './attempt/filesBefore';

/** Account's gate as a worker uses it; `account/` implements it. */
export interface WorkerGate {
  view(): Promise<GateView>;
  /**
   * Resolves once the account that `view` shows is known to be the one that pays. Rejects if it is another.
   * Until then the account is assumed: no attempt gets its prompt, and no task is said to wait.
   */
  confirm(): Promise<void>;
  report(report: AttemptReport): Promise<GateView>;
  /** Returns whether an attempt may start now. If so, it is admitted, where attempts start one after another. */
  admit(starter: Starter): Promise<boolean>;
}

/** Row of an attempt at its end. `edited`: it is another task by now, for which the attempt does not count. */
export type RowAtEnd = 'own' | 'edited' | 'none';

/** Events of a worker. */
export interface WorkerEvents {
  /** The task of a lost attempt was returned to the queue. */
  lost(lost: Lost): void;
  started(claimed: Claimed): void;
  /** A line of the run's output, fit for a terminal. `once`: every run in the folder has the same line. */
  line(id: TaskId, text: string, often?: 'once'): void;
  ended(claimed: Claimed, verdict: Verdict, change: Change, row: RowAtEnd): void;
  /** Reported once for each reason. */
  waiting(idle: Idle): void;
  /** The pause that the limits of an earlier run left is lifted. */
  lifted(hold: Hold): void;
  /** The last editor window of the queue has gone, and this worker was to stop then. */
  windowsGone(how: StopHow): void;
  /** A problem that the worker handles itself. */
  trouble(message: string): void;
}

/** One task after another. */
export const ONE_SLOT: Slots = { min: 1, max: 1 };

/** Settings of the queue's owner that a worker uses. */
export interface Rules {
  readonly settings: Settings;
  readonly timeZone: string;
}

/** Rules that may change while a worker runs. */
export interface LiveRules {
  /** Last valid rules, for attempts that have started. */
  readonly last: Rules;
  /** Returns the current rules, for tasks that are to start. @throws Problem `settings-invalid` */
  read(): Promise<Rules>;
}

/** Sends notices to the user. Never rejects. */
export interface WorkerNotices {
  /** Looks for notices that are due and sends them in the background. */
  look(): void;
  /** Looks for the last time. Resolves when the notices are sent, or when that takes too long. */
  finish(): Promise<void>;
}

/** Holds off the machine's sleep where the user asked for it. */
export interface WorkerAwake {
  /** Called while attempts run. */
  whileRunning(): void;
  /** Called while no attempt runs, with the reason. */
  whileIdle(idle: Idle): void;
  /** Allows sleep again. */
  end(): Promise<void>;
}

/** Dependencies of a worker. */
export interface WorkerDeps {
  readonly queue: TaskQueue;
  readonly gate: WorkerGate;
  readonly runner: Runner;
  /** Returns the rows that may run unattended. Read again before each claim. */
  readonly readApprovedRows: () => Promise<ApprovalSet>;
  /** The rules that the user added for this row after a refusal. */
  readonly readGrants?: (row: FingerprintedRow) => Promise<readonly string[]>;
  readonly rules: LiveRules;
  readonly clock: Clock;
  readonly random: () => number;
  /** A new UUID. */
  readonly createId: () => string;
  readonly processes: Processes;
  readonly owner: ProcessOwner;
  /** Tasks that the worker takes, and whose tasks first; absent: all tasks. */
  readonly choice?: Omit<Choice, 'id' | 'override'>;
  /** Absent: one task after another. */
  readonly slots?: Slots;
  /** Longest wait before it reads the queue again, in ms; absent: 5 s. */
  readonly lookAgainMs?: number;
  /** Interval between looks at a claim, in ms; absent: 2 s. */
  readonly heartbeatMs?: number;
  /** Maximum duration of an attempt whose row has no timeout, in place of the queue's, in ms. */
  readonly taskTimeoutMs?: number;
  /** Set if it runs one task while the user waits: retries of failed writes then end after a while. */
  readonly isSingle?: true;
  /** Set if a timer started it. */
  readonly byTimer?: true;
  /** Time at which the worker started. */
  readonly since: EpochMs;
  /** Returns the working conditions of a row's own check. */
  readonly prepareCheck: (task: CheckedTask) => Promise<CheckGround>;
  /** Starts to measure the changes of an attempt in its directory; absent: not measured. */
  readonly measureDiff?: MeasureDiff;
  /** Whether nothing has changed for a task, without a look at its files: in a simulation. Absent: its files are compared. */
  readonly assumeUnchanged?: (id: TaskId) => boolean;
  /** Returns the start of Claude's answer, for callbacks that other machines send; absent: there are no others. */
  readonly readResult?: (attempt: Attempt) => Promise<string | undefined>;
  /** Runs checks also on the files before attempts; absent: they never do. */
  readonly filesBefore?: FilesBefore;
  /** Keeps the trees before and after each attempt; absent: they are not kept. */
  readonly keptTrees?: Pick<KeptTrees, 'keep' | 'prune'>;
  /**
   * Waits while an undo writes in a folder; absent: there is none. @throws Problem `undo-running`
   */
  readonly awaitUndo?: (folder: string, stop: AbortSignal) => Promise<void>;
  /** Paths of the queue's files, including the outputs. */
  readonly paths: QueuePaths;
  readonly events: WorkerEvents;
  /** Describes an error to the user. */
  readonly describeError: (error: unknown) => string;
  /** Absent: nobody is notified. */
  readonly notices?: WorkerNotices;
  /** Absent: sleep is never held off. */
  readonly awake?: WorkerAwake;
}

/** Returns the request for the tasks that this worker may claim now. @throws Problem `settings-invalid` */
export async function buildClaimRequest(
  deps: WorkerDeps,
  choice: Pick<ClaimRequest, 'id' | 'override' | 'askingSince' | 'clockJumpMs'>,
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

/** Claims the next task for this worker, or returns why there is none. @throws Problem `settings-invalid` */
export async function claimReady(
  deps: WorkerDeps,
  choice: Pick<ClaimRequest, 'id' | 'override' | 'askingSince' | 'clockJumpMs'>,
  op = deps.createId(),
): Promise<Claimed | Idle> {
  const next = await deps.queue.claim(await buildClaimRequest(deps, choice), op);
  // Tasks may wait for the account.
  if (next.kind === 'idle') await deps.gate.confirm();
  return next;
}
