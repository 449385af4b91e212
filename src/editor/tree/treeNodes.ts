import type { TreeRow } from './rows/treeRow';

/** Node of the tree: the same object for as long as its key is in the tree. Commands get it as their target. */
export class TreeNode {
  children: readonly TreeNode[] = [];
  /** Children at the last redraw. */
  drawn: readonly TreeNode[] = [];

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

/** Nodes of the tree, which follow its rows. */
export class TreeNodes {
  roots: readonly TreeNode[] = [];
  /** Top rows at the last redraw. */
  drawnRoots: readonly TreeNode[] = [];
  private byKey: ReadonlyMap<string, TreeNode> = new Map();
  private parents: ReadonlyMap<string, string> = new Map();

  /** Takes over the rows. Returns what is drawn differently now. */
  update(rows: readonly TreeRow[]): Redraw {
    const known = new Map<string, TreeNode>();
    const changed: TreeNode[] = [];
    const roots = rows.map((row) => this.follow(row, known, changed));
    const parents = parentsOf(roots);
    // VS Code 1.100 may draw the new place of a row first, and reports an error then. The whole tree it draws at once.
    const hasMoved = [...parents].some(([key, parent]) => (this.parents.get(key) ?? parent) !== parent);
    const isSame = isSameList(this.roots, roots);
    [this.roots, this.byKey, this.parents] = [roots, known, parents];
    return isSame && !hasMoved ? changed : 'all';
  }

  /**
   * Makes what is drawn the same as the rows, at a redraw: all rows change their place together. VS Code 1.100 reports an error
   * where a row is at a new place while one that is not redrawn has it too.
   */
  draw(): void {
    this.drawnRoots = this.roots;
    for (const node of this.byKey.values()) node.drawn = node.children;
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
    const isSame = isSameRow(node.row, row) && isSameList(node.children, children);
    node.row = row;
    node.children = children;
    known.set(row.key, node);
    changed.push(...(isSame ? below : [node]));
    return node;
  }
}

/** Returns the key of the row above each row that has one, by its key. */
function parentsOf(nodes: readonly TreeNode[]): Map<string, string> {
  const below = nodes.flatMap((node) =>
    node.children.map((child): [string, string] => [child.key, node.key]),
  );
  return new Map([...below, ...nodes.flatMap(({ children }) => [...parentsOf(children)])]);
}

function isSameList(a: readonly TreeNode[], b: readonly TreeNode[]): boolean {
  return a.length === b.length && a.every((node, index) => node === b[index]);
}

/** Whether two rows are drawn in the same way, whatever is below them. */
function isSameRow({ children: _a, ...a }: TreeRow, { children: _b, ...b }: TreeRow): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
