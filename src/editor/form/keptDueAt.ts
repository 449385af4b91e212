import { PERMISSION_COLUMNS } from '../../domain/task/permissionFingerprint';
import type { EpochMs } from '../../domain/time/epoch';
import { findSoonerTime } from '../../domain/time/soonerTime';
import type { RepeatInterval } from '../../domain/time/schedule';
import type { FormFacts } from './formFacts';
import { changedCells, type FormValues } from './formValues';

/**
 * Returns when the edited task is due by its history: its next repetition, a retry, or the end of a limit. Null if nothing says so,
 * or if the edit ends it: another time does, and whatever else makes a task with another history of it. `repeat` is its
 * repetition after the edit.
 */
export function keptDueAt(
  values: FormValues,
  repeat: RepeatInterval | undefined,
  { edited, moment }: FormFacts,
): EpochMs | null {
  if (edited === null) return null;
  const { shown, initial } = edited;
  const changed = Object.keys(changedCells(initial, values, moment));
  const isKept = !changed.some((column) => column === 'scheduled_time' || column in PERMISSION_COLUMNS);
  if (!isKept) return null;
  const { state, definition } = shown.task;
  const { repeat: _, ...others } = definition;
  const now = repeat === undefined ? others : { ...others, repeat };
  return findSoonerTime({ definition: now, state }, moment) ?? state.dueAt;
}
