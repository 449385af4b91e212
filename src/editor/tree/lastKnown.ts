import { describeLastKnown } from '../../app/present/outage';
import type { Outage } from '../state/queueState';
import { groupTasks, type TaskGroup } from './taskGroups';

/** Groups the rows that were read last of a queue that cannot be read now. None has an action. */
export function groupLastKnown({ since, moment, lastKnown }: Outage): readonly TaskGroup[] {
  if (lastKnown === null) return [];
  const note = describeLastKnown(since, moment);
  return groupTasks(lastKnown.viewModel, lastKnown.notes).map((group) => ({
    ...group,
    isLastKnown: true,
    rows: group.rows.map((row) => ({
      ...row,
      details: [note, ...row.details],
      traits: [],
      isLastKnown: true,
    })),
  }));
}
