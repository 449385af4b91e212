import { describeArchived } from '../../../app/present/report/reportTexts';
import { findKnownFrom, isPartlyArchived } from '../../../app/viewModel/report/knownFrom';
import type { TaskView } from '../../../domain/queue/view';
import type { Settings } from '../../../domain/settings/settings';
import type { Attempt } from '../../../domain/task/attempt';
import type { EpochMs } from '../../../domain/time/epoch';

interface Around {
  readonly settings: Pick<Settings, 'keepHistory'>;
  readonly timeZone: string;
  readonly now: EpochMs;
}

/** Says which attempts since a time may be archived; null: none. */
export function noteKnownFrom(around: Around, since: EpochMs): string | null {
  const knownFrom = findKnownFrom(around, since);
  return knownFrom === null ? null : describeArchived(knownFrom, around);
}

/** Says that archived attempts of these tasks are not counted; null: none is known to be archived. `attempts` are all known ones. */
export function noteArchived(tasks: readonly TaskView[], attempts: readonly Attempt[]): string | null {
  return isPartlyArchived(tasks, attempts) ? 'Not counted: archived attempts.' : null;
}
