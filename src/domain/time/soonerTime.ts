import type { EpochMs } from './epoch';
import { nextTime } from './schedule';
import type { TaskView } from '../queue/view';

/**
 * Returns the next time of a repeating task whose stored one cannot be meant. That one is more than two occurrences
 * ahead, as when it was set while the clock was ahead, or the row repeats more often now. Null: keep the stored one.
 */
export function findSoonerTime(
  { definition: { repeat }, state: { dueAt, dueCause } }: Pick<TaskView, 'definition' | 'state'>,
  { now, timeZone }: { readonly now: EpochMs; readonly timeZone: string },
): EpochMs | null {
  if (repeat === undefined || dueAt === null || dueCause !== 'repeat') return null;
  if (repeat.kind === 'every') {
    const occurrences = Math.ceil((dueAt - now) / repeat.everyMs) - 1;
    return occurrences < 2 ? null : dueAt - occurrences * repeat.everyMs;
  }
  if (dueAt <= now) return null;
  const next = nextTime(repeat, now, timeZone);
  return dueAt > nextTime(repeat, next, timeZone) ? next : null;
}
