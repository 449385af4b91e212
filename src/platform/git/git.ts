import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { listFixedFolders } from '../processes/environment';
import { t } from '../text/translate';

/** A failure of git: it is missing, there is no repository, it was too slow, or it refused. */
export class GitFailure extends Error {}

/** Returns the failure of a repository that has something else, a pipe say, in the place of one of git's files. */
export function notOfGit(from: string): GitFailure {
  return new GitFailure(`${from} is not a file of git.`);
}

/**
 * Runs a git command with this text as its standard input, and returns its output. `onWarning` is called if the command
 * succeeds and complains all the same, with what it says. @throws GitFailure
 */
export type Git<Output = string> = (
  args: readonly string[],
  signal: AbortSignal,
  input?: string | Buffer,
  onWarning?: (text: string) => void,
) => Promise<Output>;

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Returns the environment for a git that finds its repository by itself. Git's own variables would lead it elsewhere,
 * and a relative folder of the PATH into the repository.
 */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    PATH: listFixedFolders(environment).join(path.delimiter),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // Missing objects are not fetched.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  };
}

/**
 * Returns git in a folder. Attributes can still name filters, which `add`, `status` and `diff` run where a
 * configuration has them.
 */
export function createGit(cwd: string, env: NodeJS.ProcessEnv): Git {
  const git = createByteGit(cwd, env);
  return async (...call) => (await git(...call)).toString('utf8');
}

/** Returns git in a folder, with one character for each byte: names of files need not be UTF-8. */
export function createLatinGit(cwd: string, env: NodeJS.ProcessEnv): Git {
  const git = createByteGit(cwd, env);
  return async (args, signal, input = '', onWarning) => {
    const bytes = typeof input === 'string' ? Buffer.from(input, 'latin1') : input;
    return (await git(args, signal, bytes, onWarning)).toString('latin1');
  };
}

/** Returns git in a folder, whose output is returned as it is. */
export function createByteGit(cwd: string, env: NodeJS.ProcessEnv): Git<Buffer> {
  const safe = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  return (args, signal, input, onWarning) =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => reject(new GitFailure(t('git gave no answer.'), { cause }));
      const limits = { signal, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES } as const;
      const options = { cwd, env, encoding: 'buffer', ...limits } as const;
      try {
        const child = execFile('git', [...safe, ...args], options, (error, out, warnings) => {
          if (error === null && warnings.length > 0) onWarning?.(warnings.toString('utf8'));
          if (error === null) resolve(out);
          else fail(error);
        });
        // A git that ends before it has read its input reports the cause by its exit code.
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(input);
      } catch (error) {
        // Some errors of a start are thrown: too little memory, a disk that does not answer.
        fail(error);
      }
    });
}
