import type { TaskView } from '../../../domain/queue/view';
import type { Settings } from '../../../domain/settings/settings';
import type { Attempt } from '../../../domain/task/attempt';
import type { TaskId } from '../../../domain/task/task';
import type { EpochMs } from '../../../domain/time/epoch';

/**
 * Returns the time from which all attempts are known: those that ended before may be archived. Null: all that ended since
 * `from` are known.
 */
export function findKnownFrom(
  { settings, now }: { readonly settings: Pick<Settings, 'keepHistory'>; readonly now: EpochMs },
  from: EpochMs,
): EpochMs | null {
  const knownFrom = now - settings.keepHistory;
  return from < knownFrom ? knownFrom : null;
}

/** Whether attempts are archived: the first known one of a task is not its first, or none is known. */
export function isPartlyArchived(tasks: readonly TaskView[], attempts: readonly Attempt[]): boolean {
  const first = new Map<TaskId, number>();
  for (const { id, number } of attempts) first.set(id, Math.min(number, first.get(id) ?? number));
  return tasks.some(({ state }) => state.untold === true) || [...first.values()].some((number) => number > 1);
}
