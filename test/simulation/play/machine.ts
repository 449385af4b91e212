import type { NoticeAudit } from '../audit/noticeAudit';
import type { Kernel } from '../machine/kernel';
import type { ProcessTable, SimProcess } from '../machine/process';
import { Killed } from '../machine/process';
import type { Program } from '../machine/program';
import { uuid } from '../machine/globals';
import type { Answer, Command, Exports, Host, SimWindow, WorkerOptions } from '../program/host';
import type { CallbackReceiver } from './callbackReceiver';
import type { Claude } from './claude';
import { violationOf, type Violation } from './violation';

interface Parts {
  readonly kernel: Kernel;
  readonly processes: ProcessTable;
  readonly claude: Claude;
  readonly program: Program<Exports>;
  readonly notices: NoticeAudit;
  readonly log: (line: string) => void;
  readonly fail: (violation: Violation) => void;
  readonly receiver: CallbackReceiver;
  /** Called when a worker ended by itself, with its error if it failed. */
  readonly workerEnded: (worker: SimWorker, error: unknown) => void;
}

/** A worker on the virtual machine. */
export interface SimWorker {
  readonly process: SimProcess;
  readonly options: WorkerOptions;
  readonly stop: AbortController;
}

/** Problems with which a process may end: it says so, and the user tries again. */
const EXPECTED = [
  ...[
    'queue-missing',
    'queue-unreadable',
    'queue-incomplete',
    'queue-locked',
    'queue-busy',
    'queue-unwritable',
  ],
  ...['settings-invalid', 'no-such-task', 'usage', 'conflict', 'already-running'],
];
const DISK_CODES = ['ENOSPC'];

/** Starts the product's programs on the virtual machine. */
export class Machine {
  readonly workers: SimWorker[] = [];
  readonly windows: { readonly process: SimProcess; readonly window: SimWindow }[] = [];

  constructor(private readonly parts: Parts) {}

  optionsOf(pid: number): WorkerOptions | null {
    return this.workers.find(({ process }) => process.identity.pid === pid)?.options ?? null;
  }

  livingWorkers(): SimWorker[] {
    return this.workers.filter(({ process }) => !process.isDead);
  }

  startWorker(options: WorkerOptions): SimWorker {
    const process = this.parts.processes.start('worker');
    const worker = { process, options, stop: new AbortController() };
    this.workers.push(worker);
    const host = this.createHost(process, worker.stop.signal);
    this.parts.log(`worker ${process.name} ${String(process.identity.pid)} starts`);
    const ended = (error: unknown): void => {
      this.parts.workerEnded(worker, error);
    };
    this.watch(
      process,
      this.parts.program.start(process).startWorker(host, options),
      (how) => {
        this.parts.log(`worker ${String(process.identity.pid)} ended: ${how}`);
        ended(undefined);
      },
      ended,
    );
    return worker;
  }

  /** Runs a command in a process of its own. */
  command(command: Command, answered: (command: Command, answer: Answer | null) => void): SimProcess {
    const process = this.parts.processes.start('command');
    const host = this.createHost(process, new AbortController().signal);
    const { ended } = process;
    let answer: Answer | null = null;
    process.ended = () => {
      ended();
      answered(command, answer);
    };
    this.watch(process, this.parts.program.start(process).runCommand(host, command), (given) => {
      answer = given;
      this.parts.log(`${command.kind}: ${given.kind === 'refused' ? given.reason : given.kind}`);
    });
    return process;
  }

  openWindow(): { readonly process: SimProcess; readonly window: SimWindow } {
    const process = this.parts.processes.start('window');
    const host = this.createHost(process, new AbortController().signal);
    const opened = { process, window: this.parts.program.start(process).openWindow(host) };
    this.windows.push(opened);
    return opened;
  }

  /** Follows work of a process that does not end with it. */
  follow(process: SimProcess, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.judge(process, error);
      process.kill();
    });
  }

  /** Writes a file as its owner does. */
  writeFile(file: string, text: string): void {
    const { disk } = this.parts.kernel;
    const inode = disk.create('file', 0o644);
    inode.bytes = Buffer.from(text);
    inode.durable = inode.bytes;
    disk.enter(file, inode, 'rename');
  }

  private watch<T>(
    process: SimProcess,
    work: Promise<T>,
    done: (result: T) => void,
    failed: (error: unknown) => void = () => undefined,
  ): void {
    work.then(
      (result) => {
        if (process.isDead) return;
        done(result);
        process.kill();
      },
      (error: unknown) => {
        this.judge(process, error);
        if (!process.isDead) failed(error);
        process.kill();
      },
    );
  }

  private judge(process: SimProcess, error: unknown): void {
    if (process.isDead || error instanceof Killed) return;
    const { code, reason } = error as { readonly code?: string; readonly reason?: string };
    this.parts.log(`${process.name} ${String(process.identity.pid)} failed: ${String(error)}`);
    if (EXPECTED.includes(reason ?? '') || DISK_CODES.includes(code ?? '')) return;
    this.parts.fail(violationOf(error, process.name));
  }

  private createHost(process: SimProcess, stop: AbortSignal): Host {
    const { processes, claude, notices, receiver, log } = this.parts;
    const { random, identity } = process;
    return {
      self: identity,
      processes: {
        identify: (pid) => processes.identify(pid),
        identifyChild: () => null,
        isAlive: (one) => processes.isAlive(one),
        ancestors: () => [],
        isInsideAttempt: () => false,
        findMarked: () => [],
        commandLine: () => null,
        self: () => identity,
        endTree: (root) => claude.end(root, process),
      },
      runner: claude.createRunner(process),
      random: () => random.next(),
      createId: () => uuid((length) => random.hex(length)),
      stop,
      say: (said) => {
        if (process.isDead) return;
        const { kind } = said;
        const what =
          'text' in said ? said.text : String('claim' in said ? said.claim.id : said.claimed.claim.id);
        log(`${String(identity.pid)} ${kind} ${what}`);
      },
      notify: (_args, input) => notices.show(process, input),
      post: (request, timeoutMs) => receiver.answer(process, request, timeoutMs),
    };
  }
}
