import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import { hasCode } from '../files/files';

/** One row of the machine's process table. */
export interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** Ended, but its parent has not asked for its exit code yet. */
  readonly zombie: boolean;
}

/** Source of process rows; differs by operating system. */
export interface ProcessTable {
  /** Returns the row of one process; null: there is none. */
  find(pid: number): ProcessRow | null;
  list(): readonly ProcessRow[];
  /** Returns those of the processes whose environment holds `entry` (`NAME=value`); none where the system does not show it. */
  withEnvironment(rows: readonly ProcessRow[], entry: string): readonly ProcessRow[];
  /** Whether that process was started with the variable `name`; false where the system does not show it. */
  hasVariable(pid: number, name: string): boolean;
  /** Returns the command line of that process, its words separated by spaces; null: it does not run. */
  commandLine(pid: number): string | null;
}

/**
 * Returns the table of Linux, from procfs, which is mounted at `proc`. It needs no program: small images have no `ps`.
 */
export function createProcTable(proc = '/proc'): ProcessTable {
  let bootId: string | undefined;
  const read = (path: string): string | null => {
    try {
      return readFileSync(`${proc}/${path}`, 'utf8');
    } catch (error) {
      // The process ended, or it belongs to another user and is not readable: either way it is not ours. Any other
      // error (too many open files) says nothing about it.
      if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return null;
      throw error;
    }
  };
  const find = (pid: number): ProcessRow | null => {
    const stat = read(`${pid}/stat`);
    if (stat === null) return null;
    bootId ??= read('sys/kernel/random/boot_id')?.trim() ?? '';
    return parseStat(pid, stat, bootId);
  };
  const environment = (pid: number): readonly string[] => read(`${pid}/environ`)?.split('\0') ?? [];
  return {
    find,
    list: () =>
      readdirSync(proc)
        .filter((name) => /^\d+$/.test(name))
        .map((name) => find(Number(name)))
        .filter((row): row is ProcessRow => row !== null),
    withEnvironment: (rows, entry) => rows.filter(({ pid }) => environment(pid).includes(entry)),
    hasVariable: (pid, name) => environment(pid).some((entry) => entry.startsWith(`${name}=`)),
    commandLine: (pid) =>
      read(`${String(pid)}/cmdline`)
        ?.replaceAll('\0', ' ')
        .trim() ?? null,
  };
}

/** Fields are counted from the last bracket on: the name before it may hold spaces and brackets itself (proc(5)). */
function parseStat(pid: number, stat: string, bootId: string): ProcessRow | null {
  const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = rest[16];
  if (state === undefined || startTicks === undefined) return null;
  return {
    pid,
    startedAt: `${bootId}/${startTicks}`,
    parent: Number(parent),
    group: Number(group),
    zombie: state === 'Z' || state === 'X',
  };
}

/** Returns the table of macOS and other systems, from `ps`, whose start times are exact to a second. */
export function createPsTable(command = 'ps'): ProcessTable {
  const run = (args: readonly string[]): string => {
    try {
      return execFileSync(command, args, {
        encoding: 'utf8',
        // The start time is compared as text, so language and zone must never change it.
        env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch (error) {
      // `ps -p` exits with 1 where the process does not exist.
      if (error instanceof Error && 'status' in error && error.status === 1) return '';
      throw error;
    }
  };
  const ask = (selection: readonly string[]): ProcessRow[] =>
    run([...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart='])
      .split('\n')
      .flatMap(parsePsLine);
  return {
    find: (pid) => ask(['-p', String(pid)])[0] ?? null,
    list: () => ask(['-A']),
    withEnvironment: () => [],
    // The environment follows the command's words. Systems other than macOS refuse `-E`, which counts as no.
    hasVariable: (pid, name) =>
      run(['-Eww', '-o', 'command=', '-p', String(pid)])
        .split(/\s+/)
        .some((word) => word.startsWith(`${name}=`)),
    commandLine: (pid) => run(['-ww', '-o', 'command=', '-p', String(pid)]).trim() || null,
  };
}

function parsePsLine(line: string): ProcessRow[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
  if (match === null) return [];
  const [, pid, parent, group, state = '', startedAt = ''] = match;
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      zombie: state.startsWith('Z'),
      startedAt,
    },
  ];
}
