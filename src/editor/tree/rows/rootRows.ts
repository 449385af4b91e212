import { bindTarget } from '../../state/queueTarget';
import { explainGone, FILE_GONE } from '../../status/unreadTexts';
import { hasQueue, isGone, runsUnread, type QueueState } from '../../state/queueState';
import { describeBriefly, describeStatus } from '../../status/statusBarText';
import { countForUser, describeAttention, type Surroundings } from './taskGroups';
import { RESTRICTED, toTreeRow } from './topRows';
import type { TreeOptions } from './treeOptions';
import type { RowCommand, TreeRow } from './treeRow';
import { composeRows } from './treeRows';
import { t } from '../../../platform/text/translate';
import { COMMA } from '../../../app/present/text';

/** Queue of a folder, as the tree shows it. */
export interface ShownQueue extends Pick<Surroundings, 'live' | 'starts'> {
  readonly key: string;
  /** Name of its folder in the workspace. */
  readonly name: string;
  readonly state: QueueState;
}

/**
 * Returns the rows of the tree: with several queues one row for each folder, with its tasks below it; else the rows of
 * the only queue. A queue whose file is gone has a row beside others: alone, the view has a welcome text for it, as it has
 * for an empty queue in Restricted Mode.
 */
export function composeRoots(
  queues: readonly ShownQueue[],
  options: TreeOptions,
  around: Omit<Surroundings, 'notes' | 'byRisk' | 'live' | 'starts'> & { readonly isTrusted: boolean },
): readonly TreeRow[] {
  const readable = queues.filter(hasQueue);
  const shown = readable.length === 0 ? [] : queues.filter((queue) => hasQueue(queue) || isGone(queue.state));
  const rowsOf = ({ key, state, live, starts }: ShownQueue, prefix: string): TreeRow[] =>
    composeRows(state, options, { ...around, live, starts }).map((row) => bindRow(row, key, prefix));
  const roots =
    shown.length <= 1
      ? shown.flatMap((queue) => rowsOf(queue, ''))
      : shown.map((queue) => toRoot(queue, rowsOf(queue, `${queue.key} `)));
  return around.isTrusted || roots.length === 0 ? roots : [toTreeRow(RESTRICTED, true), ...roots];
}

function toRoot({ key, name, state }: ShownQueue, children: readonly TreeRow[]): TreeRow {
  const status = describeStatus(state);
  const waiting = state.kind === 'ready' ? countForUser(state.viewModel) : 0;
  const needs = waiting === 0 ? [] : [describeAttention(waiting)];
  const words = describeBriefly(state) ?? (isGone(state) ? FILE_GONE : null);
  const description = [...(words === null ? [] : [words]), ...needs].join(COMMA);
  return {
    key: `root ${key}`,
    queue: key,
    label: name,
    description,
    details: [name, ...(isGone(state) ? explainGone(state) : (status?.tooltip ?? []))],
    traits: traitsOf(state),
    spoken:
      description === ''
        ? t('Queue of the folder {0}', name)
        : t('Queue of the folder {0}: {1}', name, description),
    children: [...explainFailure(state, key), ...children],
    isOpen: true,
  };
}

function traitsOf(state: QueueState): string[] {
  // Nothing can be opened or started where the file is gone.
  const working = runsUnread(state) ? ['working'] : [];
  if (isGone(state)) return working.length === 0 ? [] : ['root', ...working];
  if (state.kind !== 'ready') return ['root', ...working];
  const { snapshot, pause } = state.viewModel;
  const isWorking = snapshot.workers.length > 0;
  return ['root', 'readable', isWorking ? 'working' : 'idle', pause === null ? 'unpaused' : 'paused'];
}

/** Returns a row that says why a queue cannot be read: the view has room for the reason of one only. */
function explainFailure(state: QueueState, key: string): TreeRow[] {
  if (state.kind !== 'failing') return [];
  const { message } = state;
  return [
    {
      key: `failure ${key}`,
      queue: key,
      label: t('Cannot be read'),
      description: message,
      icon: ['error', 'charts.red'],
      details: [message],
    },
  ];
}

const bound = new WeakMap<TreeRow, TreeRow>();

/** Returns a row with its queue, which its commands get too: the same object for the same row. Keys are unique in the tree. */
function bindRow(row: TreeRow, queue: string, prefix: string): TreeRow {
  const key = `${prefix}${row.key}`;
  const before = bound.get(row);
  if (before?.key === key && before.queue === queue) return before;
  const { children, command } = row;
  const now: TreeRow = {
    ...row,
    key,
    queue,
    ...(command === undefined ? {} : { command: bindCommand(command, queue) }),
    ...(children === undefined ? {} : { children: children.map((child) => bindRow(child, queue, prefix)) }),
  };
  bound.set(row, now);
  return now;
}

function bindCommand(command: RowCommand, queue: string): RowCommand {
  // Other commands are VS Code's, and know no queue.
  if (command.command === 'openSetting' || command.command.includes('.')) return command;
  const [target] = command.arguments ?? [];
  return { ...command, arguments: [bindTarget(queue, target)] };
}
