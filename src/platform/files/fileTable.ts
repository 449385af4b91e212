import type { Clock } from '../clock';
import { hasCode } from './files';

/** Whether this process, or the machine, has reached its limit of open files. That passes when files are closed. */
export function isFileTableFull(error: unknown): boolean {
  return hasCode(error, 'EMFILE', 'ENFILE');
}

const AGAIN_MS = 1_000;

/** Runs `work`, and again each second while the table of open files is full. After `longestMs` it throws that error. */
export async function whileFileTableFull<T>(
  clock: Clock,
  longestMs: number,
  work: () => Promise<T>,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += AGAIN_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isFileTableFull(error) || waitedMs >= longestMs) throw error;
      await clock.sleep(AGAIN_MS);
    }
  }
}
