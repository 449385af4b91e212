import type { Clock } from '../clock';
import { hasCode } from './files';

/** Whether this process, or the machine, has as many files open as it may: that passes when others are closed. */
export function isFileTableFull(error: unknown): boolean {
  return hasCode(error, 'EMFILE', 'ENFILE');
}

const AGAIN_MS = 1_000;

/** Does `work`, once more each second while the table of open files is full. After `longestMs` that error is thrown. */
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
