import type { ChildProcess } from 'node:child_process';
import { describeWhy } from '../../../src/app/present/pause';
import { describeError } from '../../../src/app/present/problems/problem';
import type { Job, AttemptEvents, Runner, Verdict } from '../../../src/domain/task/attempt';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import type { Change } from '../../../src/domain/task/decide';
import { admitAttempt, type GateRules } from '../../../src/domain/gate/gateOpening';
import { applyReport, type AttemptReport } from '../../../src/domain/gate/gateReport';
import { OPEN_GATE, type GateView, type Starter, type WindowUsage } from '../../../src/domain/gate/gate';
import { defaults, type Settings } from '../../../src/domain/settings/settings';
import type { EpochMs } from '../../../src/domain/time/epoch';
import type { Definition, TaskId } from '../../../src/domain/task/task';
import type { Claim, TaskView } from '../../../src/domain/queue/view';
import type { Processes } from '../../../src/platform/processes/processes';
import { MemoryStore } from './memoryStore';
import { livenessOn } from '../../../src/queue/model/liveness';
import { ModelQueue } from '../../../src/queue/model/modelQueue';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import type { LiveRules, WorkerGate, WorkerDeps } from '../../../src/worker/workerDeps';
import { VirtualClock } from '../virtualClock';
import { describeReason } from '../../../src/app/present/reasons/reason';
import type { Reason } from '../../../src/domain/reasons/reason';
import { QueuePaths } from '../../../src/queue/queuePaths';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const MACHINE = 'this-machine';

/** A Friday evening, in UTC. */
export const EVENING = Date.parse('2026-11-20T18:00:00Z');

/** Verdict on a run, in short; the rest is filled in. */
export type ShortVerdict = Pick<Verdict, 'outcome' | 'reason'> & Partial<Verdict>;

/** Plays one run; the signal is the worker's wish to end it. */
export type Script = (run: PlayedRun, stop: AbortSignal) => Promise<ShortVerdict>;

/** One run that a worker asked for. */
export interface PlayedRun {
  readonly job: Job;
  readonly id: TaskId;
  readonly at: EpochMs;
  readonly process: ProcessIdentity;
  /** Number of earlier runs of this task. */
  readonly earlier: number;
  readonly clock: VirtualClock;
  /** The account lets its requests through, and reports how full its windows are. */
  readonly admitted: (usage?: readonly WindowUsage[]) => void;
}

export const SUCCESS: ShortVerdict = { outcome: 'success', reason: 'done', message: 'Done.' };

/** A run that is let through and takes N milliseconds, unless it is stopped. */
export function taking(ms: number, verdict: ShortVerdict = SUCCESS): Script {
  return async ({ clock, admitted }, stop) => {
    admitted();
    await clock.sleep(ms, stop);
    if (!stop.aborted) return verdict;
    return { outcome: 'cancelled', reason: String(stop.reason), message: 'Stopped.' };
  };
}

/** An error as a file system throws it that is full or broken. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: no space left on device, write`), { code });
}

/** Processes that exist only here. */
export class FakeProcesses implements Processes {
  readonly alive = new Set<number>();
  readonly ended: number[] = [];
  private last = 1000;

  create(): ProcessIdentity {
    this.last += 1;
    this.alive.add(this.last);
    return { pid: this.last, startedAt: `start-${this.last}` };
  }

  identify(pid: number): ProcessIdentity | null {
    return this.alive.has(pid) ? { pid, startedAt: `start-${pid}` } : null;
  }

  identifyChild({ pid = -1 }: ChildProcess): ProcessIdentity | null {
    return this.identify(pid);
  }

  isAlive({ pid, startedAt }: ProcessIdentity): boolean {
    return this.alive.has(pid) && startedAt === `start-${pid}`;
  }

  ancestors(): number[] {
    return [];
  }

  isInsideAttempt(): boolean {
    return false;
  }

  findMarked(): readonly ProcessIdentity[] {
    return [];
  }

  commandLine(): null {
    return null;
  }

  self(): ProcessIdentity {
    return { pid: 1000, startedAt: 'start-1000' };
  }

  endTree({ pid }: ProcessIdentity): Promise<void> {
    this.ended.push(pid);
    this.alive.delete(pid);
    return Promise.resolve();
  }
}

/** A gate in memory, as `account/` keeps it in a file. */
export class FakeGate implements WorkerGate {
  now: GateView = OPEN_GATE;

  constructor(
    private readonly clock: VirtualClock,
    private readonly rules: GateRules,
  ) {}

  view(): Promise<GateView> {
    return Promise.resolve(this.now);
  }

  confirm(): Promise<void> {
    return Promise.resolve();
  }

  report(met: AttemptReport): Promise<GateView> {
    this.now = applyReport(this.now, met, this.clock.now(), this.rules);
    return Promise.resolve(this.now);
  }

  admit(starter: Starter): Promise<boolean> {
    const admitted = admitAttempt(this.now, starter, this.clock.now(), this.rules);
    this.now = admitted ?? this.now;
    return Promise.resolve(admitted !== null);
  }
}

/** Rules that nobody changes. */
export function rulesOf(settings: Settings, timeZone = 'UTC'): LiveRules {
  const last = { settings, timeZone };
  return { last, read: () => Promise.resolve(last) };
}

/** A folder that is not there: nothing here touches the disk. */
const NOWHERE = '/nowhere/project';

interface Place {
  /** Another harness on the same machine, on the same evening. */
  readonly beside?: Harness;
  /** The folder of the queue and of its tasks. */
  readonly folder?: string;
}

/** A queue, its tasks and its workers in virtual time. */
export class Harness {
  readonly clock: VirtualClock;
  readonly settings: Settings;
  readonly processes: FakeProcesses;
  readonly store: MemoryStore;
  readonly queue: TaskQueue;
  readonly gate: FakeGate;
  readonly folder: string;
  /** Every run that started, in order. */
  readonly runs: PlayedRun[] = [];
  /** Lines that the workers reported. */
  readonly reported: string[] = [];
  /** Scripts of the runs, by task. A task without one succeeds within a minute. */
  readonly scripts = new Map<TaskId, Script>();
  /** Most runs that there were at once. */
  mostAtOnce = 0;
  private running = 0;
  private ids = 0;
  private workers = 0;

  constructor(settings: Partial<Settings> = {}, now = EVENING, { beside, folder = NOWHERE }: Place = {}) {
    this.folder = folder;
    this.settings = { ...defaults, retryJitter: 0, ...settings };
    this.clock = beside?.clock ?? new VirtualClock(now);
    this.processes = beside?.processes ?? new FakeProcesses();
    this.gate = new FakeGate(this.clock, this.settings);
    const context = { timeZone: 'UTC', folder: this.folder, home: this.folder, allowBypass: false };
    this.store = new MemoryStore(this.clock, context, { id: MACHINE });
    const machine = { id: MACHINE, isAlive: (identity: ProcessIdentity) => this.processes.isAlive(identity) };
    this.queue = new ModelQueue(this.store, livenessOn(machine));
  }

  /** The queue with some calls of one's own. */
  queueWith(calls: Partial<TaskQueue>): TaskQueue {
    return Object.assign(Object.create(this.queue) as TaskQueue, calls);
  }

  createId = (): string => {
    this.ids += 1;
    return `id-${this.ids}`;
  };

  /** Its owner writes a row. */
  put(id: TaskId, definition: Partial<Definition> = {}, script?: Script): Definition {
    const whole: Definition = {
      id,
      priority: 'medium',
      workingDir: this.folder,
      prompt: `Prompt ${id}`,
      dependencies: [],
      maxRetries: 3,
      ...definition,
    };
    this.store.put(whole);
    if (script !== undefined) this.scripts.set(id, script);
    return whole;
  }

  /** A worker of its own process. */
  createWorker(changes: Partial<WorkerDeps> = {}): WorkerDeps {
    this.workers += 1;
    const name = `w${this.workers}`;
    return {
      queue: this.queue,
      gate: this.gate,
      runner: this.runner,
      readApprovedRows: () => Promise.resolve({ trusted: true, approvals: new Set<string>() }),
      rules: rulesOf(this.settings),
      clock: this.clock,
      random: () => 0.5,
      createId: this.createId,
      processes: this.processes,
      owner: { kind: 'process', worker: name, machine: MACHINE, process: this.processes.create() },
      since: this.clock.now(),
      prepareCheck: () => Promise.resolve({ outside: null, environment: process.env, secrets: [] }),
      paths: new QueuePaths(`${this.folder}/prompts.csv`),
      describeError,
      events: {
        lost: ({ claim }) => this.report(`lost ${claim.id}`),
        started: ({ claim }) => this.report(`started ${claim.id}`),
        line: (id, text) => this.report(`${id}: ${text}`),
        ended: ({ claim }, verdict: Verdict, change: Change) =>
          this.report(`ended ${claim.id} ${verdict.outcome} ${change.status}`),
        waiting: ({ why }) => this.report(`waiting: ${this.describe(why)}`),
        lifted: (hold) =>
          this.report(`lifted: ${describeWhy(hold, { now: this.clock.now(), timeZone: 'UTC' })}`),
        windowsGone: (how) => this.report(`windows gone: ${how}`),
        trouble: (message) => this.report(`trouble: ${message}`),
      },
      ...changes,
    };
  }

  readonly runner: Runner = {
    run: async (job: Job, events: AttemptEvents, stop: AbortSignal): Promise<Verdict> => {
      const { id } = job.definition;
      const earlier = this.runs.filter((run) => run.id === id).length;
      const identity = this.processes.create();
      try {
        await events.started(identity);
        const admitted = (usage: readonly WindowUsage[] = []): void => events.admitted(usage, undefined);
        const run = {
          job,
          id,
          at: this.clock.now(),
          process: identity,
          earlier,
          clock: this.clock,
          admitted,
        };
        this.runs.push(run);
        this.running += 1;
        this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
        const script = this.scripts.get(id) ?? taking(MINUTE_MS);
        const short = await script(run, stop).finally(() => {
          this.running -= 1;
        });
        return { message: `${short.reason}.`, denials: [], usage: [], exitCode: 0, ...short };
      } finally {
        await this.processes.endTree(identity);
      }
    },
    tracesOf: () => Promise.resolve({}),
  };

  async task(id: TaskId): Promise<TaskView> {
    const { tasks } = await this.queue.read();
    const task = tasks.find(({ definition }) => definition.id === id);
    if (task === undefined) throw new Error(`There is no task ${id}.`);
    return task;
  }

  async claims(): Promise<readonly Claim[]> {
    return (await this.queue.read()).claims;
  }

  /** When the runs started: `18:00 1`; those that started at once by their ids. */
  get diary(): string[] {
    const runs = [...this.runs].sort((a, b) => a.at - b.at || a.id - b.id);
    return runs.map(({ at, id }) => `${this.timeOf(at)} ${id}`);
  }

  timeOf(at: EpochMs): string {
    return new Date(at).toISOString().slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length);
  }

  /** Text of the reason now; empty without one. */
  describe(why: Reason | undefined): string {
    return why === undefined ? '' : describeReason(why, { now: this.clock.now(), timeZone: 'UTC' });
  }

  private report(text: string): void {
    this.reported.push(`${this.timeOf(this.clock.now())} ${text}`);
  }
}
