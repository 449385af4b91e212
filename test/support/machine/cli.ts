import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { renderLine } from '../../../src/cli/output/line';
import { runProgram } from '../../../src/cli/program';
import { systemClock } from '../../../src/platform/clock';
import { systemProcesses } from '../../../src/platform/processes/processes';
import { createRunProgram } from '../../../src/platform/processes/programs';
import { createWatchdog } from './watchdog';
import { start } from './processes';
import type { Ended, Running, StartOptions } from './processes';

/** The program as people get it: bundled, and run by this Node. */
export const CLI = resolve(__dirname, '../../../dist/cli.js');

/** Starts `claude-queue` with these words and leaves it running. */
export function startCli(args: readonly string[], options: StartOptions): Running {
  return start(process.execPath, [CLI, ...args], options);
}

/** Runs `claude-queue` with these words to its end. */
export function runCli(args: readonly string[], options: StartOptions): Promise<Ended> {
  return startCli(args, options).ended;
}

/** Calls `claude-queue` with these words within this process, for what a test only prepares or looks up: it takes a tenth of the time. */
export async function callCli(
  args: readonly string[],
  { cwd, env }: Omit<StartOptions, 'stdin'>,
): Promise<Pick<Ended, 'code' | 'stdout' | 'stderr'>> {
  const [out, err] = [[] as string[], [] as string[]];
  const addError = (text: string): unknown => err.push(text);
  const code = await runProgram(args, {
    ...{
      env,
      cwd,
      clock: systemClock,
      random: Math.random,
      createId: randomUUID,
      processes: systemProcesses,
    },
    timeZone: env['TZ'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...{ out: (line) => out.push(renderLine(line, false)), err: addError, warn: addError },
    ...{ setColours: () => undefined, hasColours: () => false, pass: null, columns: null, keyboard: null },
    scheduling: {
      platform: process.platform,
      userId: process.getuid?.() ?? 0,
      program: [process.execPath, CLI],
      run: createRunProgram(env),
    },
    createWatchdog,
    outExactly: async (text) => {
      await Promise.resolve();
      out.push(text.toString());
    },
    readInput: () => Promise.resolve(''),
    onEnd: () => new AbortController().signal,
  });
  return { code, stdout: out.join('\n'), stderr: err.join('\n') };
}
