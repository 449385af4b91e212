import * as path from 'node:path';
import * as vscode from 'vscode';
import { groupLastKnown } from './lastKnown';
import { RedrawPace } from './redrawPace';
import { redisRows, topRows, type TopRow } from './topRows';
import { commandId } from '../commandIds';
import type { Failing, QueueState } from '../state/queueState';
import type { QueueModel } from '../state/queueModel';
import { countForUser, describeAttention, groupTasks, type TaskGroup } from './taskGroups';
import type { GroupName } from './groupNames';
import type { TaskRow } from './taskRow';

const TITLES: Readonly<Record<GroupName, string>> = {
  running: 'Running',
  ready: 'Ready',
  waiting: 'Waiting',
  review: 'Needs Review',
  done: 'Done',
};

/** Icon and theme colour of each state. */
const ICONS: Readonly<Record<TaskRow['shown'], readonly [icon: string, color?: string]>> = {
  running: ['sync~spin', 'charts.blue'],
  ready: ['circle-large-outline', 'charts.green'],
  scheduled: ['calendar'],
  blocked: ['lock'],
  retrying: ['history', 'charts.yellow'],
  waiting: ['watch'],
  unapproved: ['shield', 'charts.yellow'],
  stuck: ['error', 'charts.red'],
  review: ['eye', 'charts.yellow'],
  dead: ['error', 'charts.red'],
  invalid: ['warning', 'charts.yellow'],
  completed: ['pass', 'charts.green'],
  cancelled: ['circle-slash'],
};

/** Icon of a task that the user does: it runs, but does not continue by itself. */
const IN_HAND = ['account', 'charts.blue'] as const;

/** Placeholder for the rows that are not shown. */
interface Rest {
  readonly group: GroupName;
  readonly left: number;
}

/** Action of the user for a queue that cannot be read. */
interface Remedy {
  readonly label: string;
  readonly icon: string;
  readonly command: vscode.Command;
}

type Root = TopRow | TaskGroup | Remedy;
type Node = Root | TaskRow | Rest;

/** Tree of tasks, as in the state. */
export class TaskTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private roots: readonly Root[] = [];
  /** Roots as last drawn. */
  private drawn = '[]';
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly pace = new RedrawPace(() => {
    this.changed.fire(undefined);
  });
  private readonly view: vscode.TreeView<Node>;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly queueModel: QueueModel,
    private readonly hasFile: boolean,
  ) {
    this.view = vscode.window.createTreeView('claudeQueue.tasks', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    this.subscription = queueModel.onDidChange((state) => {
      this.show(state);
    });
  }

  /** Returns the rows. Waits for the first read of the queue; until then the view shows that it loads. */
  async getChildren(node?: Node): Promise<Node[]> {
    if (node !== undefined) return isGroup(node) ? rowsOf(node) : [];
    if (this.queueModel.state.kind === 'opening') await this.queueModel.refresh();
    return [...this.roots];
  }

  /** Adds the latest attempt to the tooltip, when the mouse rests on a row whose task has run. */
  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (!('taskId' in node) || node.taskId === null || item.tooltip !== undefined) return item;
    const { describeTask } = await import('./taskTooltip');
    item.tooltip = await describeTask(this.queueModel, node.taskId, [node.label, ...node.details]);
    return item;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (isGroup(node)) return groupItem(node);
    if ('needsUser' in node) return accountItem(node);
    if ('command' in node) return remedyItem(node);
    return 'left' in node ? restItem(node, this.hasFile) : rowItem(node);
  }

  dispose(): void {
    vscode.Disposable.from(this.view, this.subscription, this.pace, this.changed).dispose();
  }

  private show(state: QueueState): void {
    this.roots = rootsOf(state);
    // While a tree is redrawn its buttons do not know their rows, so it is redrawn only after a change.
    const before = this.drawn;
    this.drawn = JSON.stringify(this.roots);
    const waiting = state.kind === 'ready' ? countForUser(state.viewModel) : 0;
    this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: describeAttention(waiting) };
    if (this.drawn !== before) this.pace.request();
    // After the rows, and only if it changes: VS Code keeps rows back for 200 ms after a message, even the same.
    const message = state.kind === 'failing' && state.redis === undefined ? state.message : '';
    if (message !== (this.view.message ?? '')) this.view.message = message;
  }
}

function rootsOf(state: QueueState): readonly Root[] {
  if (state.kind === 'ready')
    return [...topRows(state.viewModel), ...groupTasks(state.viewModel, state.notes)];
  if (state.kind !== 'failing') return [];
  const groups = state.outage === undefined ? [] : groupLastKnown(state.outage);
  return [...redisRows(state), ...remediesOf(state), ...groups];
}

const FOREIGN_REMEDIES: readonly Remedy[] = (
  [
    ['adoptHistory', 'Adopt History…', 'history'],
    ['resetHistory', 'Reset History…', 'archive'],
  ] as const
).map(([name, label, icon]) => ({ label, icon, command: { command: commandId(name), title: label } }));

const REDIS_REMEDIES: readonly Remedy[] = [
  {
    label: 'Set Redis Password…',
    icon: 'key',
    command: { command: commandId('setRedisPassword'), title: 'Set Redis Password' },
  },
  {
    label: 'Open Setting',
    icon: 'gear',
    command: {
      command: 'workbench.action.openSettings',
      title: 'Open Setting',
      arguments: ['claudeQueue.redis'],
    },
  },
];

/** Returns remedies as rows: beside a message the view does not show welcome buttons. */
function remediesOf({ files, isForeign, redis }: Failing): Remedy[] {
  const openings = files.map((file) => {
    const label = `Open ${path.basename(file)}`;
    const command = { command: 'vscode.open', title: label, arguments: [vscode.Uri.file(file)] };
    return { label, icon: 'go-to-file', command };
  });
  const log = { command: commandId('showLog'), title: 'Show Log' };
  return [
    ...(isForeign === true && vscode.workspace.isTrusted ? FOREIGN_REMEDIES : []),
    ...openings,
    ...(redis === 'refused' ? REDIS_REMEDIES : []),
    { label: log.title, icon: 'output', command: log },
  ];
}

function isGroup(node: Node): node is TaskGroup {
  return 'rows' in node;
}

function rowsOf({ name, size, rows }: TaskGroup): Node[] {
  const left = size - rows.length;
  return left > 0 ? [...rows, { group: name, left }] : [...rows];
}

function restItem({ group, left }: Rest, hasFile: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(`and ${String(left)} more${hasFile ? ', in the queue file' : ''}`);
  item.id = `rest-${group}`;
  if (hasFile) item.command = { command: commandId('openQueueFile'), title: 'Open Queue File' };
  return item;
}

function remedyItem({ label, icon, command }: Remedy): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = `remedy-${command.command}-${label}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.command = command;
  return item;
}

function accountItem({ key, title, description, details, needsUser, traits }: TopRow): vscode.TreeItem {
  const item = new vscode.TreeItem(title);
  item.id = key;
  item.description = description;
  item.tooltip = details.join('\n');
  item.iconPath = new vscode.ThemeIcon(
    needsUser ? 'warning' : 'watch',
    new vscode.ThemeColor(needsUser ? 'charts.red' : 'charts.yellow'),
  );
  item.contextValue = traits.join(' ');
  item.accessibilityInformation = { label: `${title}, ${description}` };
  return item;
}

function groupItem({ name, size, isLastKnown }: TaskGroup): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(TITLES[name], name === 'done' ? Collapsed : Expanded);
  item.id = `group-${name}`;
  item.description = isLastKnown === true ? `${String(size)} · last known` : String(size);
  item.contextValue = 'group';
  return item;
}

/** Returns the icon and its theme colour; a row that is only last known is grey, and nothing in it moves. */
function iconOf({ shown, traits, isLastKnown }: TaskRow): readonly [icon: string, color?: string] {
  const [icon, color] = traits.includes('inHand') ? IN_HAND : ICONS[shown];
  if (isLastKnown === true) return [icon.replace('~spin', ''), 'disabledForeground'];
  return color === undefined ? [icon] : [icon, color];
}

function rowItem(row: TaskRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  const [icon, color] = iconOf(row);
  item.id = row.key;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  // Otherwise `resolveTreeItem` makes the tooltip on request.
  if (!row.traits.includes('output')) item.tooltip = [row.label, ...row.details].join('\n');
  item.contextValue = row.traits.join(' ');
  const known = row.isLastKnown === true ? 'last known: ' : '';
  item.accessibilityInformation = { label: `${known}${row.shown}, task ${row.label}, ${row.description}` };
  item.command = { command: commandId('showRow'), title: 'Show Row', arguments: [row.line] };
  return item;
}
