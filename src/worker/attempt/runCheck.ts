import { spawn, type ChildProcess } from 'node:child_process';
import type { CheckRun } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Place } from '../../domain/task/place';
import type { TaskId } from '../../domain/task/task';
import { sleepAwake, type Clock } from '../../platform/clock';
import { drain } from '../../platform/processes/drain';
import { isFileTableFull, whileFileTableFull } from '../../platform/files/fileTable';
import { hasCode } from '../../platform/files/files';
import { realFolder } from '../../platform/files/paths';
import { clean, cutToEnd, firstLine } from '../../platform/text/plainText';
import { RUN_MARK_VARIABLE, type Processes } from '../../platform/processes/processes';
import { redact } from '../../platform/text/redact';

/** Timeout of a check, in ms. */
const CHECK_TIMEOUT_MS = 10 * 60_000;
/** Longest wait while the table of open files is full, in ms. After it the check counts as one that could not run. */
const LONGEST_FULL_MS = 10 * 60_000;
/** Time that a stopped check has to end by itself, in ms. */
const CHECK_GRACE_MS = 2_000;

/** Characters kept from the end of the output. Programs mostly report a failure there. */
const KEPT_CHARACTERS = 8 * 1024;
/** Bytes of output searched for secrets. A secret that starts before the kept part must be found too. */
const SEEN_BYTES = 64 * 1024;

/** Working conditions of a check at the moment when it runs. */
export interface CheckGround {
  /** Reason why nothing may run there; null if it may. */
  readonly outside: string | null;
  readonly environment: NodeJS.ProcessEnv;
  /** Texts to redact from everything that is kept of the check. */
  readonly secrets: readonly string[];
}

/** Attempt that a check belongs to. */
export interface CheckedTask {
  readonly id: TaskId;
  readonly place: Place;
}

/** Copy of files in which a check runs. */
export interface CheckCopy {
  readonly folder: string;
  /** Variables to add to the environment. */
  readonly variables: NodeJS.ProcessEnv;
}

/** Dependencies of a check. */
export interface CheckDeps {
  /** Called right before the check: the attempt may have redirected a link. */
  readonly prepareCheck: (task: CheckedTask) => Promise<CheckGround>;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Mark of the attempt, set in the environment of the check. */
  readonly mark: string;
  /** Absent: it runs in the place of its attempt. */
  readonly copy?: CheckCopy;
}

/**
 * Runs a check to its end and leaves no process of it behind. Returns null if `stop` ended it. Passes arguments only,
 * never a shell command.
 * A launcher such as `env` that does not find its program exits with 126 or 127. That counts as a failure: the
 * program itself may end with the same code.
 */
export async function runCheck(
  command: readonly [string, ...string[]],
  task: CheckedTask,
  deps: CheckDeps,
  stop: AbortSignal,
): Promise<CheckRun | null> {
  try {
    return await whileFileTableFull(deps.clock, LONGEST_FULL_MS, () => runOnce(command, task, deps, stop));
  } catch (error) {
    if (isFileTableFull(error)) return describeHindrance(error);
    throw error;
  }
}

/** Rejects if the table of open files is full. */
async function runOnce(
  [program, ...args]: readonly [string, ...string[]],
  task: CheckedTask,
  { prepareCheck, processes, clock, mark, copy }: CheckDeps,
  stop: AbortSignal,
): Promise<CheckRun | null> {
  const startedAt = clock.now();
  const { outside, environment, secrets } = await prepareCheck(task);
  const hindrance = outside ?? whyReplaced(task.place.folder);
  if (hindrance !== null) return describeHindrance(new Error(hindrance));
  const { folder, variables } = copy ?? { folder: task.place.folder, variables: {} };
  const env = { ...environment, ...variables, [RUN_MARK_VARIABLE]: mark };
  let child: ChildProcess;
  let identity: ProcessIdentity | null;
  try {
    child = spawn(program, args, {
      ...{ cwd: folder, env, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    identity = processes.identifyChild(child, { mark, graceMs: CHECK_GRACE_MS });
  } catch (error) {
    if (isFileTableFull(error)) throw error;
    // Most start errors come as an event. An argument that is too long or contains NUL throws.
    return describeHindrance(error);
  }
  const outputEnd = new OutputEnd(child, secrets);
  const end = await waitForEnd(child, clock, stop);
  await endRest(identity, end === 'over' ? CHECK_GRACE_MS : 0, { processes, clock, mark });
  await outputEnd.drain(clock);
  if (end instanceof Error) {
    if (isFileTableFull(end)) throw end;
    return describeHindrance(end);
  }
  if (end === 'over' && stop.aborted) return null;
  const ms = Math.max(clock.now() - startedAt, 0);
  const output = outputEnd.text();
  if (end === 'over') return { result: 'timeout', exitCode: null, ms, output };
  return { ...describeOwnEnd(end), ms, output };
}

/** Returns why nothing may run in the place of an attempt: a link is there, to a folder that nobody approved. Else null. */
function whyReplaced(folder: string): string | null {
  const real = realFolder(folder);
  return real === folder ? null : `The working directory ${folder} was moved: it leads to ${real} now.`;
}

function describeOwnEnd({ exitCode, signal }: ProcessEnd): Pick<CheckRun, 'result' | 'exitCode' | 'signal'> {
  const result = exitCode === 0 ? 'passed' : 'failed';
  return { result, exitCode, ...(signal === null ? {} : { signal }) };
}

/** Returns a check in one line, for display. Its words may hold a secret too, so they are redacted. */
export function nameCheck(command: readonly string[]): string {
  return firstLine(redact(command.join(' ')));
}

function describeHindrance(error: unknown): CheckRun {
  return { result: 'could-not-run', exitCode: null, ms: 0, output: explainHindrance(error) };
}

function explainHindrance(error: unknown): string {
  if (hasCode(error, 'ENOENT')) return 'There is no such program, or no such working directory.';
  if (hasCode(error, 'EACCES')) return 'It is not executable, or its working directory cannot be entered.';
  return error instanceof Error ? clean(error.message) : String(error);
}

/** Exit code of a process, or the signal that ended it. */
interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Returns how the check ended by itself, the error that kept it from starting, or `over` after a timeout or a stop.
 */
async function waitForEnd(
  child: ChildProcess,
  clock: Clock,
  stop: AbortSignal,
): Promise<ProcessEnd | Error | 'over'> {
  const ended = new Promise<ProcessEnd | Error>((resolve) => {
    child.once('error', resolve);
    child.once('exit', (exitCode, signal) => {
      resolve({ exitCode, signal });
    });
  });
  const settled = new AbortController();
  const bound = sleepAwake(clock, CHECK_TIMEOUT_MS, AbortSignal.any([stop, settled.signal]));
  const end = await Promise.race([ended, bound.then(() => 'over' as const)]);
  settled.abort();
  return end;
}

/** Ends processes that the check left, such as a server or a watcher. Nobody else would end them. */
async function endRest(
  identity: ProcessIdentity | null,
  graceMs: number,
  { processes, clock, mark }: Pick<CheckDeps, 'processes' | 'clock' | 'mark'>,
): Promise<void> {
  if (identity === null) return;
  const options = { graceMs, mark, leadsGroup: true, clock } as const;
  try {
    await whileFileTableFull(clock, LONGEST_FULL_MS, () => processes.endTree(identity, options));
  } catch (error) {
    // The result is known. The check does not run again for processes that it may have left.
    if (!isFileTableFull(error)) throw error;
  }
}

/** Collects the end of a program's output from both streams, in the order in which it arrives. */
class OutputEnd {
  private pieces: Buffer[] = [];
  private length = 0;
  private received = 0;
  private readonly closed: Promise<unknown>;

  constructor(
    private readonly child: ChildProcess,
    private readonly secrets: readonly string[],
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        this.add(piece);
      });
      // A read error says nothing about the check: its exit code does.
      stream?.on('error', () => undefined);
    }
    this.closed = new Promise((resolve) => {
      child.once('close', resolve);
      child.once('error', resolve);
    });
  }

  /** Waits until all writers have closed the output. Does not wait for processes out of reach that hold it open. */
  async drain(clock: Clock): Promise<void> {
    await drain(this.closed, () => this.received, clock);
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  text(): string {
    const bytes = Buffer.concat(this.pieces);
    const seen = bytes.subarray(Math.max(bytes.length - SEEN_BYTES, 0)).toString('utf8');
    const safe = clean(redact(seen, this.secrets)).trim();
    if (safe.length <= KEPT_CHARACTERS) return safe;
    const kept = cutToEnd(safe, KEPT_CHARACTERS);
    // Drop the first line, which is cut off.
    return kept.slice(kept.indexOf('\n') + 1);
  }

  private add(piece: Buffer): void {
    this.pieces.push(piece);
    this.received += 1;
    this.length += piece.length;
    for (let first = this.pieces[0]; first !== undefined; first = this.pieces[0]) {
      if (this.length - first.length < SEEN_BYTES) return;
      this.pieces.shift();
      this.length -= first.length;
    }
  }
}
