import { execFile } from 'node:child_process';
import { hasCode } from './files';

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

const MOST_BYTES = 16 * 1024 * 1024;
