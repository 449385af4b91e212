import { type ChildProcess, spawn } from 'node:child_process';
import { hasCode } from '../files/files';

/** A program that prevents sleep as long as it runs. */
export interface SleepInhibitor {
  /** Its name. */
  readonly program: string;
  /** Resolves when it has ended: null if it was released, else why it ended. */
  readonly ended: Promise<string | null>;
  /** Allows sleep again at once. */
  release(): void;
}

/** Options for preventing sleep. */
export interface InhibitorPlace {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Sleep is prevented no longer than this process lives, however it ends. */
  readonly pid: number;
}

/** Starts the program that prevents sleep on this system; null: this system has none. */
export function inhibitSleep({ platform, env, cwd, pid }: InhibitorPlace): SleepInhibitor | null {
  const command = commandFor(platform, pid);
  if (command === null) return null;
  const [program, ...args] = command;
  // Its own process group: Ctrl-C in a terminal is for the worker, which may still finish a task.
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let isReleased = false;
  const ended = untilEnded(child).then((why) => (isReleased ? null : why));
  child.unref();
  return {
    program,
    ended,
    release: () => {
      isReleased = true;
      // The end of its input ends `cat`, and with it the other one; `caffeinate` reads none.
      // Absent if too many files were open: then nothing was started.
      child.stdin?.end();
      if (platform === 'darwin') child.kill('SIGTERM');
    },
  };
}

type Command = readonly [program: string, ...args: string[]];

function commandFor(platform: NodeJS.Platform, pid: number): Command | null {
  const why = ['--who=Claude Queue', '--why=Tasks are running', '--mode=block'];
  // The pipe to `cat` closes with this process, also when that is killed.
  if (platform === 'linux') return ['systemd-inhibit', '--what=idle:sleep', ...why, 'cat'];
  return platform === 'darwin' ? ['caffeinate', '-i', '-w', String(pid)] : null;
}

const ERROR_BYTES = 500;

function untilEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    child.stderr?.on('data', (data: Buffer) => {
      if (said.length < ERROR_BYTES) said += data.toString();
    });
    child.stdin?.on('error', () => undefined);
    child.once('error', (error) => {
      resolve(hasCode(error, 'ENOENT') ? 'it is not installed' : error.message);
    });
    child.once('close', (code, signal) => {
      const how = `it ended with ${signal ?? `exit code ${String(code)}`}`;
      resolve(said.trim() === '' ? how : `${how} (${said.trim()})`);
    });
  });
}
