import { createHash } from 'node:crypto';
import { Audit } from '../audit/audit';
import { checkEnd } from '../audit/endAudit';
import { NoticeAudit } from '../audit/noticeAudit';
import { checkPrompt, checkTrust, type Wishes } from '../audit/promptAudit';
import type { Coverage } from '../audit/coverage';
import { Kernel, settle } from '../machine/kernel';
import { ProcessTable } from '../machine/process';
import type { Program } from '../machine/program';
import { Random } from '../machine/random';
import { FOLDER, SETTINGS_FILE, type Exports } from '../program/host';
import { CallbackReceiver, QUEUE_URL } from './callbackReceiver';
import { Claude } from './claude';
import { HandOwner } from './handOwner';
import { Machine } from './machine';
import { MachineTimer } from '../machine/machineTimer';
import { Mover, type MoverParts } from './mover';
import { Repair } from './repair';
import { drawMoves, type Move } from './moves/moves';
import { drawSetup, EVENING } from './setup';
import { drawSize, SIZES, type SizeName } from './size';
import { Violation, violationOf } from './violation';

/** Course of a history. */
export interface Result {
  readonly seed: number;
  readonly size: SizeName;
  readonly moves: readonly Move[];
  /** Digest of all that happened: the same for the same seed. */
  readonly hash: string;
  readonly violation: Violation | null;
  readonly coverage: Coverage;
  readonly steps: number;
  readonly runs: number;
  /** Its events, a line each. */
  readonly trace: readonly string[];
}

/**
 * Most steps of one history: one that takes more runs in circles. Few take more than 10,000. As the journal grows, each
 * step takes longer.
 */
const MOST_STEPS = 100_000;
const MINUTE = 60_000;
const LATE_TIMER_MS = 10 * MINUTE;
const MACHINE_SETTINGS = '/home/me/.config/claude-queue/config.yaml';
/** Interval in ms between looks for a free worker. */
const IDLE_LOOK_MS = 20_000;

/** Moves of a history, not as its seed draws them, but shrunk or named. */
export type Given = Pick<Result, 'size' | 'moves'>;

/** Plays one history from its seed. `given` absent: the seed draws its moves. */
export async function playHistory(program: Program<Exports>, seed: number, given?: Given): Promise<Result> {
  const { stackTraceLimit } = Error;
  // Most errors are answers of the disk, and nobody reads where they came from.
  Error.stackTraceLimit = 0;
  try {
    return await new History(program, seed, given).play();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class History {
  private readonly random: Random;
  private readonly size: SizeName;
  private readonly kernel: Kernel;
  private readonly processes: ProcessTable;
  private readonly claude: Claude;
  private readonly owner: HandOwner;
  private readonly audit: Audit;
  private readonly notices: NoticeAudit;
  private readonly receiver: CallbackReceiver;
  private readonly machine: Machine;
  private readonly parts: MoverParts;
  private readonly mover: Mover;
  private readonly trace: string[] = [];
  private readonly moves: readonly Move[];
  /** The machine's own address for callbacks; undefined: none. */
  private urlOfQueue: string | undefined;
  private violation: Violation | null = null;
  private readonly wishes: Wishes = {
    isTrusted: false,
    approved: new Set(),
    approving: 0,
    trusting: 0,
    distrustedAt: -Infinity,
    pausedSince: null,
    gateOpened: { place: 0, at: 0 },
  };

  constructor(
    program: Program<Exports>,
    private readonly seed: number,
    given?: Given,
  ) {
    this.random = new Random(seed);
    this.size = given?.size ?? drawSize(this.random.stream('size'));
    this.kernel = new Kernel(this.random.stream('schedule'), EVENING);
    this.processes = new ProcessTable(this.kernel);
    this.claude = new Claude(this.kernel, this.processes, this.random.stream('claude'));
    this.owner = new HandOwner(this.kernel);
    this.audit = new Audit({
      ...{ kernel: this.kernel, claude: this.claude, owner: this.owner },
      workers: () => this.machine.livingWorkers(),
      optionsOf: (pid) => this.machine.optionsOf(pid),
      isAlive: (identity) => this.processes.isAlive(identity),
      timerStarts: () => this.parts.timer.starts,
    });
    this.notices = new NoticeAudit(this.kernel);
    this.receiver = new CallbackReceiver(this.kernel, this.random.stream('posts'), (line) => this.log(line));
    this.machine = new Machine({
      ...{ kernel: this.kernel, processes: this.processes, claude: this.claude, program },
      ...{ notices: this.notices, receiver: this.receiver },
      log: (line) => this.log(line),
      workerEnded: (worker, error) => this.audit.noteWorkerEnd(worker, error),
      fail: (violation) => this.fail(violation),
    });
    this.parts = {
      ...{ kernel: this.kernel, processes: this.processes, claude: this.claude, machine: this.machine },
      ...{ owner: this.owner, audit: this.audit, notices: this.notices, receiver: this.receiver },
      ...{ wishes: this.wishes, random: this.random, size: SIZES[this.size] },
      timer: new MachineTimer(this.kernel, this.machine),
    };
    this.mover = new Mover(this.parts);
    this.moves =
      given?.moves ??
      drawMoves(
        this.random.stream('moves'),
        {
          rare: this.random.stream('rare moves'),
          extra: this.random.stream('extra moves'),
          aimed: this.random.stream('aimed moves'),
        },
        SIZES[this.size],
      );
    this.kernel.spinning = ({ name }) =>
      this.fail(new Violation('carried to its end', `${name} runs in circles while no time passes`));
    this.claude.signedIn = () => void this.mover.command({ kind: 'reopen' });
    this.claude.prompted = (run) => {
      this.log(`prompt ${String(run.id)} ${run.job.attemptMark}`);
      this.guard(() => checkPrompt(run, this.audit, this.claude, this.wishes, this.kernel));
    };
  }

  async play(): Promise<Result> {
    this.prepare();
    try {
      for (const move of this.moves) {
        await this.runUntil(move.at);
        if (this.isOver) break;
        this.log(`move ${String(move.index)} ${move.kind}`);
        await this.mover.make(move);
      }
      if (!this.isOver) await this.bringToEnd();
    } catch (error) {
      // An error that nobody expected belongs to the history, with its seed.
      this.fail(violationOf(error, 'the machine'));
    }
    await this.forget();
    const { steps } = this.kernel;
    const { seed, size, moves, violation, trace, claude } = this;
    const { coverage } = this.audit;
    const hash = createHash('sha256').update(trace.join('\n')).update(String(steps)).digest('hex');
    return { seed, size, moves, hash, violation, coverage, steps, runs: claude.runs.length, trace };
  }

  /** Ends everything: signals that somebody still listens to would be kept, with all that listens. */
  private async forget(): Promise<void> {
    for (const process of this.processes.living()) process.kill();
    for (const { stop } of this.machine.workers) stop.abort();
    this.claude.forget();
    await settle();
  }

  private prepare(): void {
    const { disk } = this.kernel;
    const setup = drawSetup(this.random.stream('setup'), this.random.stream('callbacks'), SIZES[this.size]);
    for (const folder of ['/place', FOLDER, '/place/a', '/place/b', '/place/c', '/home', '/home/me', '/tmp'])
      disk.enter(folder, disk.create('folder', 0o755), 'mkdir');
    for (const folder of ['/home/me/.config', '/home/me/.config/claude-queue'])
      disk.enter(folder, disk.create('folder', 0o755), 'mkdir');
    this.machine.writeFile(SETTINGS_FILE, setup.settings);
    const others = this.random.stream('other programs');
    if (others.oneIn(3)) this.urlOfQueue = QUEUE_URL;
    const callback = this.urlOfQueue === undefined ? '' : `callbackUrl: ${this.urlOfQueue}\n`;
    this.machine.writeFile(MACHINE_SETTINGS, `notify: [tell, "{title}"]\n${callback}`);
    this.owner.create(setup.csv);
    disk.changed = (file) => {
      this.audit.note(file);
      this.mover.noteChange(file);
    };
    this.lookForIdle();
    if (others.oneIn(8)) this.mover.command({ kind: 'adopt' });
    this.mover.command(setup.isTrusted ? { kind: 'trust' } : { kind: 'approve' });
  }

  /** Looks again and again for a task that is ready while a worker is free. */
  private lookForIdle(): void {
    this.kernel.after(null, IDLE_LOOK_MS, () => {
      this.guard(() => {
        this.audit.lookForIdle();
      });
      if (!this.isOver) this.lookForIdle();
    });
  }

  private get isOver(): boolean {
    return this.violation !== null;
  }

  /** Lets time pass, and looks at everything that appears on the disk. */
  private async runUntil(at: number, isDone: () => boolean = () => false): Promise<void> {
    await this.kernel.run(
      at,
      () => this.isOver || isDone(),
      async () => {
        if (this.audit.needsUpdate) await this.guardAsync(() => this.audit.update());
        if (this.kernel.steps > MOST_STEPS)
          this.fail(new Violation('carried to its end', 'the history runs in circles'));
      },
    );
  }

  private guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.fail(error);
    }
  }

  private async guardAsync(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.fail(error);
    }
  }

  private fail(violation: Violation): void {
    if (this.violation !== null) return;
    this.violation = violation;
    this.log(`VIOLATION ${violation.message}`);
  }

  private log(line: string): void {
    this.trace.push(`${this.kernel.now.toFixed(3)} ${line}`);
  }

  /** No more faults: what is left to do must be done, and everything must be recorded. */
  private async bringToEnd(): Promise<void> {
    // Only after a while it is clear that a timer does not fire.
    const waitsMs = this.parts.timer.isBroken ? LATE_TIMER_MS : MINUTE;
    await this.runUntil(Math.max(this.kernel.now + waitsMs, this.mover.lastsUntil));
    const lookedAt = await new Repair(this.parts, this.mover, async (until, isDone) =>
      this.runUntil(until, isDone),
    ).carryOut();
    if (this.isOver) return;
    this.guard(() => {
      this.owner.check();
      checkEnd(this.audit, this.kernel, this.claude, lookedAt);
      this.notices.check(this.audit);
      this.receiver.check(this.audit, this.notices, this.urlOfQueue);
      this.audit.night.check(this.audit);
      checkTrust(this.audit, this.wishes);
    });
  }
}
