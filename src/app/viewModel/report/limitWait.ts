import type { EpochMs } from '../../../domain/time/epoch';
import type { QueueViewModel } from '../queueViewModel';
import type { Gap } from './gaps';

/**
 * Returns the time in which nothing ran because of a usage limit and, as far as is recorded, of nothing else, in ms. A
 * gap with another cause counts only if that is a pause, because only the times of pauses are known.
 */
export function measureLimitWait(gaps: readonly Gap[], viewModel: Pick<QueueViewModel, 'stops'>): number {
  return gaps
    .filter((gap) => isForLimit(gap) && !(gap.isOpen && isOverNow(viewModel)))
    .reduce((sum, gap) => sum + unpausedMs(gap), 0);
}

function isForLimit({ causes }: Gap): boolean {
  return (
    causes.some(({ kind }) => kind === 'limit') &&
    causes.every(({ kind }) => kind === 'limit' || kind === 'paused')
  );
}

/** Whether the limit no longer keeps tasks from starting: it ended at an unknown time, and another cause followed. */
function isOverNow({ stops }: Pick<QueueViewModel, 'stops'>): boolean {
  return !stops.some(({ causes }) => causes.some(({ kind }) => kind === 'gate' || kind === 'hold'));
}

/** Returns the part of a gap that is in none of its pauses, which may overlap. */
function unpausedMs({ from, to, causes }: Gap): number {
  const pauses = causes
    .filter((cause) => cause.kind === 'paused')
    .toSorted((one, other) => one.from - other.from);
  let [free, ms]: [EpochMs, number] = [from, 0];
  for (const pause of pauses) {
    ms += Math.max(0, pause.from - free);
    free = Math.max(free, pause.to ?? to);
  }
  return ms + Math.max(0, to - free);
}
