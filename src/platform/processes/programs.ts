import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { hasCode } from '../files/files';

/** Result of a program. */
export interface Ran {
  /** Its exit code; 1 where a signal ended it. */
  readonly code: number;
  /** Its standard output, one character per byte, so that bytes that are not text are kept. */
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a program of the operating system to its end, with these bytes as its standard input; null: it does not exist.
 */
export type RunProgram = (program: string, args: readonly string[], input?: Buffer) => Promise<Ran | null>;

/** Maximum duration of a program, long enough for a service manager under load. */
const LONGEST_MS = 30_000;

/** Returns a function that runs programs with this environment, never by a shell. Their messages are in English. */
export function createRunProgram(environment: Readonly<Record<string, string | undefined>>): RunProgram {
  const env = { ...environment, LC_ALL: 'C' };
  return (program, args, input) =>
    new Promise((resolve) => {
      const child = execFile(
        program,
        args,
        { env, encoding: 'latin1', timeout: LONGEST_MS, maxBuffer: MOST_BYTES },
        (error, out, err) => {
          if (hasCode(error, 'ENOENT')) resolve(null);
          // Without a number, a signal ended it, or this program did after the maximum duration.
          else
            resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err });
        },
      );
      // A program that ends before it has read its input reports the cause by its exit code.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
}

/** Options for running a program of the user. */
export interface BoundedRun {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
  readonly timeoutMs: number;
}

const ERROR_BYTES = 2_000;

/**
 * Runs a program without a shell, in a process group of its own, which is killed when the time is up. Returns null if
 * it exited with 0, else why it failed.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  how: BoundedRun,
): Promise<string | null> {
  const { cwd, env, input, timeoutMs } = how;
  return new Promise<string | null>((resolve) => {
    // Without streams if too many files are open.
    const child: ChildProcess = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let said = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, timeoutMs);
    const end = (failure: string | null): void => {
      clearTimeout(timer);
      // Its background processes may hold the pipe open, which is not read any more.
      child.stderr?.destroy();
      child.unref();
      resolve(failure);
    };
    child.stderr?.on('data', (data: Buffer) => {
      if (said.length < ERROR_BYTES) said += data.toString();
    });
    // A program need not read its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.once('error', (error) => {
      end(error.message);
    });
    child.once('exit', (code, signal) => {
      if (code === 0) end(null);
      else if (isLate) end(`it was killed after ${String(timeoutMs / 1000)} s`);
      else
        end(
          `it ended with ${signal ?? `exit code ${String(code)}`}${said.trim() === '' ? '' : ` (${said.trim()})`}`,
        );
    });
    // Most start errors come as an event. Others are thrown: a file in place of a folder, a program that is being written.
  }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

const MOST_BYTES = 16 * 1024 * 1024;
