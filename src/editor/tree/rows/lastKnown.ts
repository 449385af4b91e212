import { describeLastKnown } from '../../../app/present/outage';
import type { Outage } from '../../state/queueState';
import { groupTasks } from './taskGroups';
import type { TreeOptions } from './treeOptions';
import type { RowIcon, TreeRow } from './treeRow';
import { t } from '../../../platform/text/translate';

/** Groups the rows that were read last of a queue that cannot be read now. None has an action. */
export function groupLastKnown(
  { since, moment, lastKnown }: Outage,
  options: TreeOptions,
): readonly TreeRow[] {
  if (lastKnown === null) return [];
  const note = describeLastKnown(since, moment);
  const { viewModel, notes, byRisk } = lastKnown;
  const groups = groupTasks(viewModel, options, {
    notes,
    byRisk,
    live: new Map(),
    starts: new Map(),
    now: viewModel.world.now,
  });
  return groups.map((group) => ({
    ...group,
    description: t('{0} · last known', group.description),
    spoken: t('{0}, last known', group.spoken ?? group.label),
    children: group.children?.map((row) => toLastKnown(row, note)) ?? [],
  }));
}

/** Returns the row without actions; it is grey, and nothing in it moves. */
function toLastKnown({ icon, mark: _gone, ...row }: TreeRow, note: string): TreeRow {
  return {
    ...row,
    ...(icon === undefined ? {} : { icon: toGrey(icon) }),
    details: [note, ...(row.details ?? [])],
    traits: [],
    spoken: t('Last known: {0}', row.spoken ?? row.label),
  };
}

function toGrey([icon]: RowIcon): RowIcon {
  return [icon.replace('~spin', ''), 'disabledForeground'];
}
