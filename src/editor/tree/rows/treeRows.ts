import * as path from 'node:path';
import type { Failing, QueueState } from '../../state/queueState';
import { groupLastKnown } from './lastKnown';
import { groupTasks, type Surroundings } from './taskGroups';
import { redisRows, topRows, toTreeRow } from './topRows';
import type { TreeOptions } from './treeOptions';
import type { RowCommand, TreeRow } from './treeRow';
import { t } from '../../../platform/text/translate';

/** Returns the rows of the tree: what stops everything first, then the tasks in groups. */
export function composeRows(
  state: QueueState,
  options: TreeOptions,
  { isTrusted, ...around }: Omit<Surroundings, 'notes' | 'byRisk'> & { readonly isTrusted: boolean },
): readonly TreeRow[] {
  if (state.kind === 'ready') {
    // In Restricted Mode none of their actions is there.
    const tops = topRows(state.viewModel).map((top) => (isTrusted ? top : { ...top, actions: [] }));
    const groups = groupTasks(state.viewModel, options, {
      ...around,
      notes: state.notes,
      byRisk: state.byRisk,
    });
    // Only the first is open: the others follow from it, or can wait.
    const rows = tops.map((top, index) => toTreeRow(top, index === 0));
    const isEmpty = groups.length === 0 && options.filter !== '';
    return [...rows, ...(isEmpty ? [NOTHING_FOUND] : groups)];
  }
  if (state.kind !== 'failing') return [];
  const groups = state.outage === undefined ? [] : groupLastKnown(state.outage, options);
  const tops = redisRows(state).map((top) => toTreeRow(top, false));
  return [...tops, ...remediesOf(state, isTrusted), ...groups];
}

const NOTHING_FOUND: TreeRow = {
  key: 'nothing-found',
  label: t('Clear Filter'),
  description: t('No task matches it.'),
  icon: ['clear-all'],
  command: { command: 'clearFilter', title: t('Clear Filter') },
};

/** Returns remedies as rows: beside a message the view does not show welcome buttons. */
function remediesOf({ files, isForeign, redis }: Failing, isTrusted: boolean): TreeRow[] {
  return [
    ...(isForeign === true && isTrusted
      ? [
          toRemedy(t('Adopt History…'), 'history', { command: 'adoptHistory' }),
          toRemedy(t('Reset History…'), 'archive', { command: 'resetHistory' }),
        ]
      : []),
    ...files.map((file) =>
      toRemedy(t('Open {0}', path.basename(file)), 'go-to-file', { command: 'vscode.open', file }),
    ),
    ...(redis === 'refused'
      ? [
          toRemedy(t('Set Redis Password…'), 'key', { command: 'setRedisPassword' }),
          toRemedy(t('Open Setting'), 'gear', {
            command: 'openSetting',
            setting: 'claudeQueue.redis',
          }),
        ]
      : []),
    toRemedy(t('Show Log'), 'output', { command: 'showLog' }),
  ];
}

function toRemedy(label: string, icon: string, command: Omit<RowCommand, 'title'>): TreeRow {
  return {
    key: `remedy-${command.command}-${command.file ?? ''}`,
    label,
    description: '',
    icon: [icon],
    command: { ...command, title: label },
  };
}
