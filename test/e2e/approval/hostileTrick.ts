import { mkdirSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { CliHarness } from '../../integration/cli/cliHarness';

/** A change that an attacker makes to a folder whose one task the user has approved, and its expected effect. */
export interface Trick {
  readonly put: (cli: CliHarness) => void | Promise<void>;
  /** Expected output of the commands below, or of `commands`. */
  readonly reported: RegExp;
  readonly commands?: readonly (readonly string[])[];
  /** The prompts that Claude may get; default: none. */
  readonly prompts?: readonly string[];
  /** Only root can make a file of another user. */
  readonly needsRoot?: true;
}

/** The one row of the folder, which its user has approved. */
export const APPROVED = '1,high,.,Say hello,pending,,,no,,0,3';

export const stateOf = ({ queueFolder }: CliHarness): string => join(queueFolder, 'state');

/** A folder or file below `claude_queue/`, with the folders above it. */
export function place(cli: CliHarness, name: string, make: (file: string) => void): string {
  const file = join(cli.queueFolder, name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  make(file);
  return file;
}

export const makePipe = (file: string): void => {
  execFileSync('mkfifo', [file]);
};
