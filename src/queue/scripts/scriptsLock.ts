import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, type Stats } from 'node:fs';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files/files';
import { systemProcesses } from '../../platform/processes/processes';
import { t } from '../../platform/text/translate';
import type { StatePaths } from '../queuePaths';

/** The lock of `queue_manager.sh`: a file with the process number of the script that runs. */
export interface ScriptsLock {
  readonly file: string;
  /** Null where the file holds no process number. */
  readonly pid: number | null;
  /** Whether that process is a running `queue_manager`. */
  readonly isHeld: boolean;
}

/** Returns the command line of a process; null if it does not run, or the system does not report it. */
export type CommandLineOf = (pid: number) => string | null;

/** Longest content of a lock, in bytes: a process number and a line end are shorter. */
const LONGEST_LOCK_BYTES = 32;

/** Returns the lock of `queue_manager.sh` in the state folder; null where there is none. */
export function findScriptsLock(
  state: StatePaths,
  commandLineOf: CommandLineOf = systemProcesses.commandLine,
): ScriptsLock | null {
  // Older versions of this program kept a folder of this name.
  const file = state.of('earlierLock');
  const stat = look(file);
  if (stat?.isFile() !== true) return null;
  const text = stat.size > LONGEST_LOCK_BYTES ? '' : readLock(file);
  if (text === null) return null;
  const pid = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
  // After a restart of the machine another program may have this process number.
  return { file, pid, isHeld: pid !== null && (commandLineOf(pid) ?? '').includes('queue_manager') };
}

function look(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // The state folder is not a folder: opening the queue reports that.
    if (hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Returns null if the script has just ended and removed its lock. */
function readLock(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Describes a held lock, and how to resolve it. */
export function describeScriptsLock({ pid }: ScriptsLock): string {
  return t('queue_manager (pid {0}) is running on this queue. Stop it first.', String(pid));
}

/** As `findRunningScripts`. @throws Problem `queue-locked` while the script runs */
export function refuseScripts(state: StatePaths, warn: (message: string) => void): void {
  const problem = findRunningScripts(state, warn);
  if (problem !== null) throw problem;
}

/**
 * Returns a Problem `queue-locked` while `queue_manager.sh` runs, else null. Renames a lock that a dead one left, and
 * warns that it did.
 */
export function findRunningScripts(state: StatePaths, warn: (message: string) => void): Problem | null {
  const lock = findScriptsLock(state);
  if (lock === null) return null;
  if (lock.isHeld) return new Problem('queue-locked', describeScriptsLock(lock));
  setAside(lock, warn);
  return null;
}

function setAside({ file, pid }: ScriptsLock, warn: (message: string) => void): void {
  const usual = `${file}.left-${String(pid ?? 'unknown')}`;
  const isTaken = lstatSync(usual, { throwIfNoEntry: false }) !== undefined;
  const aside = isTaken ? `${usual}-${randomUUID().slice(0, 8)}` : usual;
  try {
    renameSync(file, aside);
  } catch (error) {
    // Another process was faster.
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  warn(
    `${file} was left by queue_manager (pid ${String(pid ?? 'unknown')}), which has ended. It is now ${aside}.`,
  );
}
