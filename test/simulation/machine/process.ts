import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import type { Kernel, Schedulable } from './kernel';
import type { Random } from './random';

/** Thrown by every call of the system that a dead process makes: nothing that it does counts any more. */
export class Killed extends Error {
  constructor() {
    super('This process is dead.');
  }
}

/** Most calls of the system in one step. A process that makes more waits for something without letting time pass. */
const MOST_CALLS = 50_000;

/** A stop of a process in the middle of its work. */
export interface Frost {
  after: number;
  readonly forMs: number;
  /** Called when it is stopped. */
  readonly started: () => void;
}

/** A process of the virtual machine. */
export class SimProcess implements Schedulable {
  /** Step in which it died; null: it lives. */
  diedAt: number | null = null;
  /** Running time at which it died. */
  diedAtMs = Infinity;
  frozenUntil = 0;
  /** Number of further changes of the disk after which it dies; null: it lives on. */
  fuse: number | null = null;
  /** Stop of it after a number of further changes of the disk; null: none. */
  frost: Frost | null = null;
  /** Number of calls of the system in the step that `countedStep` names. */
  private calls = 0;
  private countedStep = -1;
  /** Called when it dies, however it ends. */
  ended: () => void = () => undefined;

  constructor(
    readonly kernel: Kernel,
    readonly identity: ProcessIdentity,
    readonly name: string,
    readonly random: Random,
  ) {}

  get isDead(): boolean {
    return this.diedAt !== null;
  }

  /** Ends it as `kill -9` does. */
  kill(): void {
    if (this.isDead) return;
    this.diedAt = this.kernel.steps;
    this.diedAtMs = this.kernel.now;
    this.ended();
  }

  /** Every call of the system goes through here. @throws Killed */
  enter(): void {
    this.count();
    if (this.isDead) throw new Killed();
  }

  /**
   * Counts a call of the system, also one that the dead may make, such as a look at the clock. A process that makes too
   * many dies. @throws Killed if it then continues all the same
   */
  count(): void {
    const { steps } = this.kernel;
    this.calls = steps === this.countedStep ? this.calls + 1 : 1;
    this.countedStep = steps;
    if (this.calls <= MOST_CALLS) return;
    if (!this.isDead) this.kernel.spinning(this);
    this.kill();
    if (this.calls > 2 * MOST_CALLS) throw new Killed();
  }

  /** As `enter`, for a call that changes the disk. It may be the last one. @throws Killed */
  enterChange(): void {
    this.enter();
    this.countToFrost();
    if (this.fuse === null) return;
    this.fuse -= 1;
    if (this.fuse >= 0) return;
    this.kill();
    throw new Killed();
  }

  private countToFrost(): void {
    const { frost } = this;
    if (frost === null) return;
    frost.after -= 1;
    if (frost.after >= 0) return;
    this.frost = null;
    this.frozenUntil = this.kernel.now + frost.forMs;
    frost.started();
  }

  /** Whether the change that it is about to make is its last, and is cut off. */
  get isLastChange(): boolean {
    return this.fuse === 0;
  }
}

/** All processes of the virtual machine. */
export class ProcessTable {
  private lastPid = 100;
  private readonly byPid = new Map<number, SimProcess>();

  constructor(private readonly kernel: Kernel) {}

  /** Starts a process. */
  start(name: string): SimProcess {
    this.lastPid += 1;
    const identity = { pid: this.lastPid, startedAt: `boot/${String(this.lastPid * 7)}` };
    const process = new SimProcess(
      this.kernel,
      identity,
      name,
      this.kernel.random.stream(`${name}#${String(this.lastPid)}`),
    );
    this.byPid.set(this.lastPid, process);
    return process;
  }

  identify(pid: number): ProcessIdentity | null {
    const process = this.byPid.get(pid);
    return process === undefined || process.isDead ? null : process.identity;
  }

  isAlive({ pid, startedAt }: ProcessIdentity): boolean {
    return this.identify(pid)?.startedAt === startedAt;
  }

  find(pid: number): SimProcess | undefined {
    return this.byPid.get(pid);
  }

  /** Returns the living processes, oldest first. */
  living(): SimProcess[] {
    return [...this.byPid.values()].filter(({ isDead }) => !isDead);
  }
}
