import { resolve } from 'node:path';
import { start } from './processes';
import type { Ended, Running, StartOptions } from './processes';

/** The program as people get it: bundled, and run by this Node. */
export const CLI = resolve(__dirname, '../../dist/cli.js');

/** Starts `claude-queue` with these words and leaves it running. */
export function startCli(args: readonly string[], options: StartOptions): Running {
  return start(process.execPath, [CLI, ...args], options);
}

/** Runs `claude-queue` with these words to its end. */
export function runCli(args: readonly string[], options: StartOptions): Promise<Ended> {
  return startCli(args, options).ended;
}
