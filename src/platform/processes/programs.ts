import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { hasCode } from '../files/files';

/** What a program came to. */
export interface Ran {
  /** Its exit code; 1 where a signal ended it. */
  readonly code: number;
  /** Its standard output, a character for each byte: nothing of what is not text is lost. */
  readonly out: string;
  readonly err: string;
}

/** Runs a program of the operating system to its end, with these bytes as its standard input; null: it is not there. */
export type RunProgram = (program: string, args: readonly string[], input?: Buffer) => Promise<Ran | null>;

/** Long enough for a service manager under load; whatever hangs longer is not waited for. */
const LONGEST_MS = 30_000;

/** Runs programs with this environment; never by a shell. Their messages are asked for in English. */
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
          // Without a number a signal ended it, or this program, which waited long enough.
          else
            resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err });
        },
      );
      // A program that ends before it has read all of it says by its exit code what was wrong.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
}

/** How a program of the user's is run. */
export interface BoundedRun {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
  readonly timeoutMs: number;
}

const ERROR_BYTES = 2_000;

/**
 * Runs a program without a shell, in a process group of its own, which is killed when the time is up. Null: it exited with 0;
 * else why not.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  how: BoundedRun,
): Promise<string | null> {
  const { cwd, env, input, timeoutMs } = how;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, timeoutMs);
    const end = (failure: string | null): void => {
      clearTimeout(timer);
      // What it left in the background may hold the pipe open: nobody reads it any more.
      child.stderr.destroy();
      child.unref();
      resolve(failure);
    };
    child.stderr.on('data', (data: Buffer) => {
      if (said.length < ERROR_BYTES) said += data.toString();
    });
    // A program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
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
  });
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
