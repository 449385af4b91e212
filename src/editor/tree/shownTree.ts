import * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import { nameUnreadWorkers } from '../status/unreadTexts';
import { t } from '../../platform/text/translate';
import { hideLinks } from '../hiddenLinks';
import { hasQueue, type QueueState } from '../state/queueState';
import type { Queues } from '../state/queues';
import type { TreeChoices } from '../state/treeChoices';
import { RedrawPace } from './redrawPace';
import { composeRoots } from './rows/rootRows';
import { countForUser, describeAttention } from './rows/taskGroups';
import type { Grouping, TreeOptions } from './rows/treeOptions';
import { TreeChildren, type Redraw, type TreeNode } from './treeChildren';
import { toTreeItem } from './treeItem';

/** Parts that the tree shows. */
export interface TreeSources {
  readonly queues: Queues;
  readonly choices: TreeChoices;
}

/** View in which a tree is shown, and what makes VS Code draw it. */
export interface Shell {
  readonly view: vscode.TreeView<TreeNode>;
  /** Makes VS Code ask for the rows below these nodes again; undefined: for all rows. */
  readonly draw: (nodes: TreeNode[] | undefined) => void;
}

/** Rows of the tree. Made when the queues were read once. */
export class ShownTree implements vscode.Disposable {
  private readonly nodes = new TreeChildren();
  /** Nodes to redraw at the next redraw. */
  private due: Redraw = [];
  /** Number of requests for the top rows that are not answered. */
  private pending = 0;
  private readonly pace = new RedrawPace(() => {
    const { due } = this;
    this.due = [];
    this.shell.draw(due === 'all' ? undefined : [...due]);
  });
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly sources: TreeSources,
    private readonly shell: Shell,
  ) {
    const { queues, choices } = sources;
    this.subscriptions = vscode.Disposable.from(
      queues.onDidChange((change) => {
        if (change === 'list') this.follow();
        this.show();
      }),
      choices.onDidChange(() => {
        this.show();
      }),
      shell.view.onDidChangeVisibility(() => {
        this.follow();
      }),
    );
    // VS Code asks for the first rows by itself.
    this.update();
    this.showAround();
    this.follow();
  }

  /** Returns the rows. Waits for the first read of the queues; until then the view shows that it loads. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return this.nodes.showBelow(node);
    this.pending += 1;
    await this.sources.queues.awaitFirstReads();
    this.pending -= 1;
    return this.nodes.showRoots();
  }

  getTreeItem({ row }: TreeNode): vscode.TreeItem {
    return toTreeItem(row);
  }

  dispose(): void {
    vscode.Disposable.from(this.subscriptions, this.pace).dispose();
  }

  /** Follows what Claude does, and forecasts starts, only while they are shown. */
  private follow(): void {
    for (const { liveActions, expectedStarts } of this.sources.queues.all) {
      liveActions.show(this.shell.view.visible);
      expectedStarts.show(this.shell.view.visible);
    }
  }

  private show(): void {
    this.redraw(this.update());
    this.showAround();
  }

  /** Makes the rows of the present states. Returns what is drawn differently now. */
  private update(): Redraw {
    const { queues, choices } = this.sources;
    const shown = queues.all.map(({ services: { key, name, queueModel }, liveActions, expectedStarts }) => ({
      ...{ key, name, state: queueModel.state, live: liveActions.actions },
      starts: expectedStarts.starts,
    }));
    const around = { isTrusted: vscode.workspace.isTrusted, now: systemClock.now() };
    return this.nodes.update(composeRoots(shown, choices.options, around));
  }

  /** Shows what is around the rows. */
  private showAround(): void {
    const { queues, choices } = this.sources;
    const { view } = this.shell;
    const states = queues.all.map(({ services }) => ({ state: services.queueModel.state }));
    const waiting = states.reduce((sum, { state }) => sum + countWaiting(state), 0);
    view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: describeAttention(waiting) };
    // After the rows, and only if they change: VS Code keeps rows back for 200 ms after a message, even the same.
    const message = messageOf(states.filter(hasQueue)) || describeFilter(choices.options);
    if (message !== (view.message ?? '')) view.message = message;
    const description = describeGrouping(choices.options);
    if (description !== (view.description ?? '')) view.description = description;
  }

  /** While a tree is redrawn its buttons do not know their rows, so only what changed is. */
  private redraw(redraw: Redraw): void {
    if (redraw !== 'all' && redraw.length === 0) return;
    // VS Code draws the answer: it would ask again for the same rows.
    if (this.pending > 0) return;
    this.due = redraw === 'all' || this.due === 'all' ? 'all' : [...new Set([...this.due, ...redraw])];
    this.pace.request();
  }
}

function countWaiting(state: QueueState): number {
  return state.kind === 'ready' ? countForUser(state.viewModel) : 0;
}

/** Returns why the only queue cannot be read. Of several, the rows say it. */
function messageOf([only, ...others]: readonly { readonly state: QueueState }[]): string {
  if (only === undefined || others.length > 0) return '';
  const { state } = only;
  if (state.kind !== 'failing' || state.redis !== undefined) return '';
  return breakPaths(hideLinks([state.message, ...nameUnreadWorkers(state)].join(' ')));
}

/** Lets a line end after each folder of a path: the message of a view is as wide as its longest word, and is cut there. */
function breakPaths(text: string): string {
  return text.replace(/[/\\](?=\S)/g, '$&\u200b');
}

const GROUPED_BY: Readonly<Record<Exclude<Grouping, 'state'>, string>> = {
  priority: t('by priority'),
  user: t('by user'),
  folder: t('by folder'),
};

function describeGrouping({ grouping }: TreeOptions): string {
  return grouping === 'state' ? '' : GROUPED_BY[grouping];
}

/** Returns the filter, which hides tasks also after a restart. VS Code does not show the description of a container's only view. */
function describeFilter({ filter }: TreeOptions): string {
  return filter === '' ? '' : hideLinks(t('Filter: {0}', filter));
}
