import { readFileSync, readdirSync } from 'node:fs';
import { until } from '../until';

/** A process in Linux's table. */
export interface ListedProcess {
  readonly pid: number;
  /** Start time, in clock ticks. With the id it identifies one process permanently. */
  readonly startTicks: string;
  /** Program and arguments. */
  readonly command: string;
}

/** Every living process that was started with this entry (`NAME=value`) in its environment. */
export function listProcesses(entry: string): ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const environment = read(`/proc/${name}/environ`);
      if (environment?.split('\0').includes(entry) !== true) return [];
      const startTicks = startOf(Number(name));
      const command = read(`/proc/${name}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '';
      return startTicks === null ? [] : [{ pid: Number(name), startTicks, command }];
    });
}

/** Whether that very process still runs; one that only waits for its parent to notice its end does not. */
export function isRunning({ pid, startTicks }: Pick<ListedProcess, 'pid' | 'startTicks'>): boolean {
  return startOf(pid) === startTicks;
}

/** Sends a signal to that very process, unless it has ended meanwhile. */
export function signal(listed: Pick<ListedProcess, 'pid' | 'startTicks'>, name: NodeJS.Signals): void {
  if (!isRunning(listed)) return;
  try {
    process.kill(listed.pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Ends every process that was started with this entry in its environment, and whatever they start meanwhile. */
export async function endProcesses(entry: string): Promise<void> {
  await until('they have all ended', () => {
    const left = listProcesses(entry).filter(isRunning);
    for (const each of left) signal(each, 'SIGKILL');
    return left.length === 0;
  });
}

/** Null where there is no such process, or nothing of it but its exit code (field 22 of proc(5), state `Z`). */
function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It ended while it was looked at, or is somebody else's.
    return null;
  }
}
