import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { AttemptEvents, StopCause } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { sleepAwake, type Clock } from '../../platform/clock';
import { drain } from '../../platform/processes/drain';
import { whileFileTableFull } from '../../platform/files/fileTable';
import { hasCode } from '../../platform/files/files';
import type { Processes } from '../../platform/processes/processes';
import { createLineSplitter } from './lineSplitter';
import { prepareInput, type WholeInput } from './wholeInput';

/** Reason why this program ended an attempt. */
export type OwnEnd = StopCause | 'timeout' | 'output-unwritable' | 'other-payer';

type Source = 'stdout' | 'stderr';

/** One start of `claude`. */
export interface ChildStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Text for standard input, which is then closed. All of it is delivered or nothing. */
  readonly input: string;
  /** Path of a file that does not exist yet. It may hold a long input for a moment. */
  readonly inputFile: string;
  readonly attemptMark: string;
  readonly timeoutMs: number;
  /** Time to exit after SIGTERM, in milliseconds. */
  readonly graceMs: number;
  /** Takes lines of either stream. Reading continues when this resolves. */
  take(source: Source, lines: readonly string[]): Promise<void>;
}

/** Result of a process that has ended. */
export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy?: OwnEnd;
}

export interface ChildContext {
  readonly clock: Clock;
  readonly processes: Processes;
  readonly started: AttemptEvents['started'];
  /** Ends the attempt when aborted. Its reason is an `OwnEnd`. */
  readonly abortSignal: AbortSignal;
}

/** Thrown if the system did not start the program. `cause` holds the error. */
export class NotStarted extends Error {}

/** Longest wait for a free entry in the table of open files while processes are ended, in milliseconds. */
const LONGEST_FULL_MS = 60 * 60_000;
/**
 * Grace period after another worker took ownership, in milliseconds. The attempt must not change anything more.
 */
const FENCED_GRACE_MS = 1_000;
/**
 * Grace period after an unexpected API key, in milliseconds. The first request comes within 50 ms, and no tool
 * runs yet.
 */
const OTHER_PAYER_GRACE_MS = 0;

/**
 * Runs a program to its end and leaves no processes behind.
 *
 * The input is delivered only after `started` has resolved, so an unrecorded process never sees it. If
 * `started` rejects, the process is ended and this rejects too.
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
  const child = spawnChild(start);
  const exited = waitForExit(child);
  const identity = identify(child, start, context.processes);
  if (identity === null) {
    const { code, signal } = await exited;
    return { exitCode: code, signal };
  }
  // The program may exit or close its input before it has read everything (EPIPE). Its exit says what that
  // means.
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

function spawnChild({ program, args, cwd, environment }: ChildStart): ChildProcessWithoutNullStreams {
  try {
    // A separate session and process group: ending the worker's group does not end the attempt halfway.
    return spawn(program, args, { cwd, env: environment, detached: true, stdio: 'pipe' });
  } catch (cause) {
    // Some start errors are thrown (an argument that is too long), others come as an event.
    throw new NotStarted('The program was not started.', { cause });
  }
}

function identify(
  child: ChildProcessWithoutNullStreams,
  { attemptMark: mark, graceMs }: ChildStart,
  processes: Processes,
): ProcessIdentity | null {
  try {
    return processes.identifyChild(child, { mark, graceMs });
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

/** Ends an attempt once: by its exit, by `abortSignal` or by the timeout, whichever comes first. */
class Ending {
  cause: OwnEnd | undefined;
  private ended: Promise<void> | undefined;
  private readonly over = new AbortController();
  private readonly obey = (): void => this.startEnd(readCause(this.context.abortSignal.reason));

  constructor(
    private readonly identity: ProcessIdentity,
    private readonly start: ChildStart,
    private readonly context: ChildContext,
  ) {
    context.abortSignal.addEventListener('abort', this.obey, { once: true });
    if (context.abortSignal.aborted) this.obey();
    void this.watchTime();
  }

  /** Returns why this program ended the attempt; empty if it did not. */
  report(): { readonly endedBy?: OwnEnd } {
    return this.cause === undefined ? {} : { endedBy: this.cause };
  }

  /** Stops watching and ends leftover processes. */
  async finish(): Promise<void> {
    this.over.abort();
    this.context.abortSignal.removeEventListener('abort', this.obey);
    await (this.ended ?? this.endTree(0));
  }

  private startEnd(cause: OwnEnd): void {
    if (this.over.signal.aborted || this.cause !== undefined) return;
    this.cause = cause;
    this.ended = this.endTree(this.graceFor(cause));
    // `finish` handles a rejection.
    this.ended.catch(() => undefined);
  }

  private graceFor(cause: OwnEnd): number {
    if (cause === 'other-payer') return OTHER_PAYER_GRACE_MS;
    return cause === 'fenced' ? FENCED_GRACE_MS : this.start.graceMs;
  }

  private async watchTime(): Promise<void> {
    await sleepAwake(this.context.clock, this.start.timeoutMs, this.over.signal);
    this.startEnd('timeout');
  }

  private endTree(graceMs: number): Promise<void> {
    const { processes, clock } = this.context;
    const { attemptMark: mark } = this.start;
    // Other programs may have too many files open. That must not discard finished work.
    return whileFileTableFull(clock, LONGEST_FULL_MS, () =>
      processes.endTree(this.identity, { graceMs, mark, leadsGroup: true, clock }),
    );
  }
}

const OWN_ENDS: readonly OwnEnd[] = [
  'stopped',
  'made-way',
  'cancelled',
  'fenced',
  'timeout',
  'output-unwritable',
  'other-payer',
];

/** Returns the `OwnEnd` in an abort reason; `stopped` for any other reason. */
export function readCause(reason: unknown): OwnEnd {
  return OWN_ENDS.find((cause) => cause === reason) ?? 'stopped';
}

/** Passes on a program's output line by line, as fast as it is taken. */
class Pump {
  private started = 0;
  private taken = 0;

  constructor(private readonly take: ChildStart['take']) {}

  /** Resolves when all lines are taken. */
  async run(source: Source, stream: Readable): Promise<void> {
    const splitter = createLineSplitter();
    try {
      for await (const bytes of stream) await this.handOn(source, splitter.push(bytes as Buffer));
    } catch (error) {
      // The stream was closed because a process that cannot be ended holds the other end.
      if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
    }
    await this.handOn(source, splitter.end());
  }

  /** Returns the number of pieces taken, or `taking` while one is being taken. */
  countTaken(): number | 'taking' {
    return this.started === this.taken ? this.taken : 'taking';
  }

  private async handOn(source: Source, lines: readonly string[]): Promise<void> {
    this.started += 1;
    await this.take(source, lines);
    this.taken += 1;
  }
}
