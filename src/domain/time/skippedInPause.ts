import type { EpochMs } from './epoch';
import type { World } from '../reasons/world';
import type { SkipCause, SkippedTimes } from './skippedTimes';
import type { PassedTimes } from './schedule';
import { ownPriority } from '../order/leftoverCapacity';
import type { Pause, TaskView } from '../queue/view';

/** Data in which pauses are looked up. */
export type PausedWorld = Pick<World, 'now' | 'timeZone' | 'settings'> & {
  readonly queue: Pick<World['queue'], 'holds' | 'pauses'>;
};

/** Returns the past and present pauses of a task, oldest first. */
export function pausesOf(
  { definition }: Pick<TaskView, 'definition'>,
  { queue, settings }: PausedWorld,
): readonly Pause[] {
  const priority = ownPriority(definition, settings);
  const present = queue.holds.map((hold) => ({ ...hold, from: hold.at, to: Infinity }));
  return [...queue.pauses, ...present].filter(({ priorities }) => priorities?.includes(priority) ?? true);
}

/** Returns the skipped due times from index `first` to before `end`, split by the pause in which they passed. */
export function splitByPause(
  why: SkipCause,
  times: PassedTimes,
  { first, end }: { readonly first: number; readonly end: number },
  pauses: readonly Pause[],
): SkippedTimes[] {
  const borders = pauses.flatMap(({ from, to }) => [firstFrom(times, from), firstFrom(times, to)]);
  const starts = [...new Set([first, ...borders])].filter((index) => index >= first && index < end);
  starts.sort((a, b) => a - b);
  return starts.map((start, part) => {
    const next = starts[part + 1] ?? end;
    const from = times.at(start);
    const pause = pauses.find((one) => one.from <= from && from < one.to);
    const range = { from, to: times.at(next - 1), count: next - start };
    return { why, ...range, ...(pause === undefined ? {} : factsOf(pause)) };
  });
}

function factsOf({ why: pause, bound }: Pause): Pick<SkippedTimes, 'pause' | 'bound'> {
  return { pause, ...(bound === undefined ? {} : { bound }) };
}

/** Returns the index of the first time that is not before `at`. */
function firstFrom(times: PassedTimes, at: EpochMs): number {
  let [low, high] = [0, times.count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (times.at(middle) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
