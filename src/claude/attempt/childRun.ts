import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { RunEvents, StopCause } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { sleepAwake, type Clock } from '../../platform/clock';
import { drain } from '../../platform/processes/drain';
import { whileFileTableFull } from '../../platform/files/fileTable';
import { hasCode } from '../../platform/files/files';
import { identifyChild, type Processes } from '../../platform/processes/processes';
import { createLineSplitter } from './lineSplitter';
import { prepareInput, type WholeInput } from './wholeInput';

/** Why a run was ended from here. */
export type OwnEnd = StopCause | 'timeout' | 'output-unwritable' | 'other-payer';

type Source = 'stdout' | 'stderr';

/** One start of `claude`. */
export interface ChildStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed: all of it or nothing. */
  readonly input: string;
  /** A file that is not there, in which a long input may be put for a moment. */
  readonly inputFile: string;
  readonly runMark: string;
  readonly timeoutMs: number;
  /** How long it may take to end by itself after SIGTERM. */
  readonly graceMs: number;
  /** Takes the lines of either stream; the next ones are read when it resolves. */
  take(source: Source, lines: readonly string[]): Promise<void>;
}

/** How a process ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy?: OwnEnd;
}

export interface ChildContext {
  readonly clock: Clock;
  readonly processes: Processes;
  readonly started: RunEvents['started'];
  /** Aborted with why the run has to end. */
  readonly abortSignal: AbortSignal;
}

/** The system did not start the program; why is the cause. */
export class NotStarted extends Error {}

/** How long the table of open files may be full while a run's processes are ended. */
const LONGEST_FULL_MS = 60 * 60_000;
/** A run that another worker owns by now must not touch anything any more. */
const FENCED_GRACE_MS = 1_000;
/** What pays for it was not chosen: its first request comes within 50 ms, and it has no tools yet. */
const OTHER_PAYER_GRACE_MS = 0;

/**
 * Runs a program to its end and leaves nothing of it behind. The input is only given once `started` has resolved, so a
 * process that nobody recorded never sees it; where `started` rejects, the process is ended and this rejects too.
 * @throws NotStarted, PromptNotDelivered
 */
export async function runChild(start: ChildStart, context: ChildContext): Promise<ChildEnd> {
  const input = await prepareInput(start.input, start.inputFile);
  try {
    return await runWithInput(start, context, input);
  } finally {
    await input.drop();
  }
}

async function runWithInput(start: ChildStart, context: ChildContext, input: WholeInput): Promise<ChildEnd> {
  const child = begin(start);
  const exited = waitForExit(child);
  const identity = identify(child, context.processes);
  if (identity === null) {
    const { code, signal } = await exited;
    return { exitCode: code, signal };
  }
  // It may end, or close its input, without reading all of it (EPIPE). How it ends says what that means.
  child.stdin.on('error', () => undefined);
  const pump = new Pump((source, lines) => start.take(source, lines));
  const reading = Promise.all([pump.run('stdout', child.stdout), pump.run('stderr', child.stderr)]);
  const ending = new Ending(identity, start, context);
  for (const awaitedBelow of [reading, exited]) awaitedBelow.catch(() => undefined);
  try {
    await context.started(identity);
    if (ending.cause === undefined) await input.give(child.stdin);
    const { code, signal } = await exited;
    return { exitCode: code, signal, ...ending.report() };
  } finally {
    await ending.finish();
    await exited;
    await drain(reading, () => pump.countTaken(), context.clock);
    child.stdout.destroy();
    child.stderr.destroy();
    await reading;
  }
}

function begin({ program, args, cwd, environment }: ChildStart): ChildProcessWithoutNullStreams {
  try {
    // A session and process group of its own: what ends the worker's group does not end the run halfway.
    return spawn(program, args, { cwd, env: environment, detached: true, stdio: 'pipe' });
  } catch (cause) {
    // Some of what hinders a start is thrown (an argument that is too long), and some comes as an event.
    throw new NotStarted('The program was not started.', { cause });
  }
}

function identify(child: ChildProcessWithoutNullStreams, processes: Processes): ProcessIdentity | null {
  try {
    return identifyChild(child, processes);
  } catch (cause) {
    throw new NotStarted('The program was ended immediately, because it could not have been ended later.', {
      cause,
    });
  }
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function waitForExit(child: ChildProcessWithoutNullStreams): Promise<Exit> {
  return new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (cause) => {
      if (child.pid === undefined) reject(new NotStarted('The program was not started.', { cause }));
    });
  });
}

/** The one end of a run: by itself, by order or by time, whichever comes first. */
class Ending {
  cause: OwnEnd | undefined;
  private ended: Promise<void> | undefined;
  private readonly over = new AbortController();
  private readonly obey = (): void => this.begin(readCause(this.context.abortSignal.reason));

  constructor(
    private readonly identity: ProcessIdentity,
    private readonly start: ChildStart,
    private readonly context: ChildContext,
  ) {
    context.abortSignal.addEventListener('abort', this.obey, { once: true });
    if (context.abortSignal.aborted) this.obey();
    void this.watchTime();
  }

  /** The order that ended the run, where it was one. */
  report(): { readonly endedBy?: OwnEnd } {
    return this.cause === undefined ? {} : { endedBy: this.cause };
  }

  /** Stops watching and ends whatever the run left running. */
  async finish(): Promise<void> {
    this.over.abort();
    this.context.abortSignal.removeEventListener('abort', this.obey);
    await (this.ended ?? this.endTree(0));
  }

  private begin(cause: OwnEnd): void {
    if (this.over.signal.aborted || this.cause !== undefined) return;
    this.cause = cause;
    this.ended = this.endTree(this.graceFor(cause));
    // Its failure is met in `finish`.
    this.ended.catch(() => undefined);
  }

  private graceFor(cause: OwnEnd): number {
    if (cause === 'other-payer') return OTHER_PAYER_GRACE_MS;
    return cause === 'fenced' ? FENCED_GRACE_MS : this.start.graceMs;
  }

  private async watchTime(): Promise<void> {
    await sleepAwake(this.context.clock, this.start.timeoutMs, this.over.signal);
    this.begin('timeout');
  }

  private endTree(graceMs: number): Promise<void> {
    const { processes, clock } = this.context;
    const { runMark: mark } = this.start;
    // The run may be finished and its work done: that is not thrown away because others have too many files open.
    return whileFileTableFull(clock, LONGEST_FULL_MS, () =>
      processes.endTree(this.identity, { graceMs, mark, leadsGroup: true, clock }),
    );
  }
}

const OWN_ENDS: readonly OwnEnd[] = [
  'stopped',
  'cancelled',
  'fenced',
  'timeout',
  'output-unwritable',
  'other-payer',
];

/** The cause that an aborted signal carries. */
export function readCause(reason: unknown): OwnEnd {
  return OWN_ENDS.find((cause) => cause === reason) ?? 'stopped';
}

/** Hands on what comes out of a program, line by line, as fast as it is taken. */
class Pump {
  private begun = 0;
  private taken = 0;

  constructor(private readonly take: ChildStart['take']) {}

  /** Resolves when all is taken. */
  async run(source: Source, stream: Readable): Promise<void> {
    const splitter = createLineSplitter();
    try {
      for await (const bytes of stream) await this.handOn(source, splitter.push(bytes as Buffer));
    } catch (error) {
      // Closed because something out of reach still holds the other end.
      if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
    }
    await this.handOn(source, splitter.end());
  }

  /** How many pieces have been taken, or that one is being taken. */
  countTaken(): number | 'taking' {
    return this.begun === this.taken ? this.taken : 'taking';
  }

  private async handOn(source: Source, lines: readonly string[]): Promise<void> {
    this.begun += 1;
    await this.take(source, lines);
    this.taken += 1;
  }
}
