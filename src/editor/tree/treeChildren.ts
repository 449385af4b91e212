import { isSameList } from '../../domain/lists';
import type { TreeRow } from './rows/treeRow';

/** Node of the tree: the same object for as long as its key is in the tree. Commands get it as their target. */
export class TreeNode {
  children: readonly TreeNode[] = [];

  constructor(public row: TreeRow) {}

  get key(): string {
    return this.row.key;
  }

  get queue(): string | undefined {
    return this.row.queue;
  }

  get taskId(): number | null | undefined {
    return this.row.taskId;
  }

  get line(): number | undefined {
    return this.row.line;
  }
}

/** Nodes to redraw, each with all below it; `all`: the top rows are others. */
export type Redraw = readonly TreeNode[] | 'all';

/** Nodes of the tree and what is below each; they follow its rows. */
export class TreeChildren {
  private roots: readonly TreeNode[] = [];
  private byKey: ReadonlyMap<string, TreeNode> = new Map();
  /** Key of the row below which VS Code has each row since it last asked for the top rows, by its key. */
  private readonly shownBelow = new Map<string, string>();

  /** Takes over the rows. Returns what is drawn differently now. */
  update(rows: readonly TreeRow[]): Redraw {
    const known = new Map<string, TreeNode>();
    const changed: TreeNode[] = [];
    const roots = rows.map((row) => this.follow(row, known, changed));
    const hasMoved = [...known.values()].some((node) =>
      node.children.some((child) => this.isElsewhere(child, node)),
    );
    const isSame = isSameList(this.roots, roots);
    [this.roots, this.byKey] = [roots, known];
    return isSame && !hasMoved ? changed : 'all';
  }

  /** Returns the top rows. VS Code forgets all rows when it asks for them. */
  showRoots(): TreeNode[] {
    this.shownBelow.clear();
    return [...this.roots];
  }

  /**
   * Returns the rows below a row, without those that VS Code still has below another: VS Code 1.100 reports an error for a row
   * with two places. They follow when the whole tree is drawn again, as it is after each move. A row that is gone, of which
   * newer versions still ask meanwhile, has none.
   */
  showBelow(node: TreeNode): TreeNode[] {
    if (this.byKey.get(node.key) !== node) return [];
    const shown = node.children.filter((child) => !this.isElsewhere(child, node));
    for (const { key } of shown) this.shownBelow.set(key, node.key);
    return shown;
  }

  /** Whether VS Code has a row below another than this one. */
  private isElsewhere({ key }: TreeNode, parent: TreeNode): boolean {
    return (this.shownBelow.get(key) ?? parent.key) !== parent.key;
  }

  /** Returns the node of a row, with those below it. Adds it to `changed` unless a node above it is drawn anew anyway. */
  private follow(row: TreeRow, known: Map<string, TreeNode>, changed: TreeNode[]): TreeNode {
    const node = this.byKey.get(row.key);
    const below: TreeNode[] = [];
    const children = (row.children ?? []).map((child) => this.follow(child, known, below));
    if (node === undefined) {
      const added = new TreeNode(row);
      added.children = children;
      known.set(row.key, added);
      return added;
    }
    const isSame = (node.row === row || isSameRow(node.row, row)) && isSameList(node.children, children);
    node.row = row;
    node.children = children;
    known.set(row.key, node);
    changed.push(...(isSame ? below : [node]));
    return node;
  }
}

/** Whether two rows are drawn in the same way, whatever is below them. */
function isSameRow({ children: _a, ...a }: TreeRow, { children: _b, ...b }: TreeRow): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
