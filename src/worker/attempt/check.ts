import { spawn, type ChildProcess } from 'node:child_process';
import type { CheckRun } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { folderOf, type Definition } from '../../domain/task/task';
import { sleepAwake, type Clock } from '../../platform/clock';
import { drain } from '../../platform/processes/drain';
import { isFileTableFull, whileFileTableFull } from '../../platform/files/fileTable';
import { hasCode } from '../../platform/files/files';
import { clean, firstLine } from '../../platform/text/plainText';
import { identifyChild, RUN_MARK_VARIABLE, type Processes } from '../../platform/processes/processes';
import { redact } from '../../platform/text/redact';

/** How long a check may take. */
const CHECK_TIMEOUT_MS = 10 * 60_000;
/** How long the table of open files may be full before the check counts as one that could not run. */
const LONGEST_FULL_MS = 10 * 60_000;
/** How long a check that is ended may take to end by itself. */
const CHECK_GRACE_MS = 2_000;

/** As much of the end of its output is kept: what a program has to say of a failure mostly is there. */
const KEPT_CHARACTERS = 8 * 1024;
/** As much is looked at: a secret at the start of what is kept must be known by what is before it. */
const SEEN_BYTES = 64 * 1024;

/** Where a check is run, as it is found at that moment. */
export interface CheckGround {
  /** Why nothing may be run there; null: it may. */
  readonly outside: string | null;
  readonly environment: NodeJS.ProcessEnv;
  /** What must not be in anything that is kept of it. */
  readonly secrets: readonly string[];
}

/** Whose check it is. */
export type CheckedTask = Pick<Definition, 'id' | 'workingDir' | 'realDir'>;

/** What a check is run with. */
export interface CheckDeps {
  /** Looked at once more right before the check: the run may have turned a link. */
  readonly prepareCheck: (task: CheckedTask) => Promise<CheckGround>;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Names the attempt in the environment of the check. */
  readonly mark: string;
}

/**
 * Runs a check to its end and leaves nothing of it behind; null where `stop` ended it. Arguments only, never a shell. A
 * program that looks for another one and says by its exit code that there is none (`env`, 126 or 127) has failed: its
 * code could as well be what the other one ended with.
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

/** Rejects where there are too many open files to start it. */
async function runOnce(
  [program, ...args]: readonly [string, ...string[]],
  task: CheckedTask,
  { prepareCheck, processes, clock, mark }: CheckDeps,
  stop: AbortSignal,
): Promise<CheckRun | null> {
  const begunAt = clock.now();
  const { outside, environment, secrets } = await prepareCheck(task);
  if (outside !== null) return describeHindrance(new Error(outside));
  const env = { ...environment, [RUN_MARK_VARIABLE]: mark };
  let child: ChildProcess;
  let identity: ProcessIdentity | null;
  try {
    child = spawn(program, args, {
      ...{ cwd: folderOf(task), env, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    identity = identifyChild(child, processes);
  } catch (error) {
    if (isFileTableFull(error)) throw error;
    // Most of what hinders a start comes as an event; a word that is too long, or holds a NUL, is thrown.
    return describeHindrance(error);
  }
  const reported = new OutputEnd(child, secrets);
  const end = await waitForEnd(child, clock, stop);
  await endRest(identity, end === 'over' ? CHECK_GRACE_MS : 0, { processes, clock, mark });
  await reported.drain(clock);
  if (end instanceof Error) {
    if (isFileTableFull(end)) throw end;
    return describeHindrance(end);
  }
  if (end === 'over' && stop.aborted) return null;
  const ms = Math.max(clock.now() - begunAt, 0);
  const output = reported.text();
  if (end === 'over') return { result: 'timeout', exitCode: null, ms, output };
  return { result: end.exitCode === 0 ? 'passed' : 'failed', exitCode: end.exitCode, ms, output };
}

/** A check in one line, as it is shown: its words may hold a secret too. */
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

/** How it ended by itself, what kept it from start, or `over`: its time was up, or it was stopped. */
async function waitForEnd(
  child: ChildProcess,
  clock: Clock,
  stop: AbortSignal,
): Promise<{ readonly exitCode: number | null } | Error | 'over'> {
  const ended = new Promise<{ readonly exitCode: number | null } | Error>((resolve) => {
    child.once('error', resolve);
    child.once('exit', (exitCode) => {
      resolve({ exitCode });
    });
  });
  const settled = new AbortController();
  const bound = sleepAwake(clock, CHECK_TIMEOUT_MS, AbortSignal.any([stop, settled.signal]));
  const end = await Promise.race([ended, bound.then(() => 'over' as const)]);
  settled.abort();
  return end;
}

/** A check that has ended may have left a server, or a watcher, which nobody else would end. */
async function endRest(
  identity: ProcessIdentity | null,
  graceMs: number,
  { processes, clock, mark }: Omit<CheckDeps, 'prepareCheck'>,
): Promise<void> {
  if (identity === null) return;
  const options = { graceMs, mark, leadsGroup: true, clock } as const;
  try {
    await whileFileTableFull(clock, LONGEST_FULL_MS, () => processes.endTree(identity, options));
  } catch (error) {
    // What the check came to is known; it is not run again for what it may have left.
    if (!isFileTableFull(error)) throw error;
  }
}

/** The end of what a program writes to either of its streams, in the order in which it comes. */
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
      // What cannot be read any more says nothing; how the check ended is told by its exit.
      stream?.on('error', () => undefined);
    }
    this.closed = new Promise((resolve) => {
      child.once('close', resolve);
      child.once('error', resolve);
    });
  }

  /** Waits until nobody can write any more, but not for what is out of reach and holds the other end. */
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
    const kept = safe.slice(-KEPT_CHARACTERS);
    // The rest of a line would be taken for a whole one.
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
