import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { quote } from '../../../src/platform/text/shellQuote';

/** A pseudo terminal with one program in it, as an editor's terminal has. */
export interface Terminal {
  /** Gives the program these keys. */
  type(text: string): void;
  /** Takes the terminal away, as closing its tab does: the system sends the program SIGHUP. */
  close(): void;
  /** The exit code of the program; null where the terminal was taken away. */
  readonly ended: Promise<number | null>;
}

/** Opens a terminal by `script` (util-linux), without the user before it; nothing is inherited but `env`. */
export function openTerminal(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const command = `exec ${[program, ...args].map(quote).join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
  });
  // Nobody looks at the screen, but what is not taken from it would hold the program.
  child.stdout.resume();
  child.stderr.resume();
  return {
    type: (text) => child.stdin.write(text),
    close: () => child.kill('SIGKILL'),
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}
