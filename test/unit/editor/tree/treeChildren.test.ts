import assert from 'node:assert/strict';
import { TreeChildren, type Redraw, type TreeNode } from '../../../../src/editor/tree/treeChildren';
import type { TreeRow } from '../../../../src/editor/tree/rows/treeRow';

const row = (key: string, label = key, children?: readonly TreeRow[]): TreeRow => ({
  key,
  label,
  description: '',
  ...(children === undefined ? {} : { children }),
});

const keysOf = (redraw: Redraw): unknown => (redraw === 'all' ? 'all' : redraw.map(({ key }) => key));

const keys = (nodes: readonly TreeNode[]): string[] => nodes.map(({ key }) => key);

/** Returns the rows that VS Code gets when it draws the whole tree: keys of the rows at the top with those below. */
function drawAll(nodes: TreeChildren): unknown {
  return nodes.showRoots().map((node) => [node.key, keys(nodes.showBelow(node))]);
}

/** Returns the keys of the nodes that are redrawn after the first rows, which were drawn, were replaced by the second. */
function redrawn(before: readonly TreeRow[], after: readonly TreeRow[]): unknown {
  const nodes = new TreeChildren();
  nodes.update(before);
  drawAll(nodes);
  return keysOf(nodes.update(after));
}

describe('A row that moves from one group to another', () => {
  const [before, after] = [
    [row('next', 'next', [row('task')]), row('done', 'done', [])],
    [row('next', 'next', []), row('done', 'done', [row('task')])],
  ];

  it('is below the other only after the whole tree was drawn again', () => {
    const nodes = new TreeChildren();
    nodes.update(before);
    const [, done] = nodes.showRoots();
    assert.ok(done);
    assert.deepEqual(drawAll(nodes), [
      ['next', ['task']],
      ['done', []],
    ]);
    assert.equal(nodes.update(after), 'all');
    assert.deepEqual(nodes.showBelow(done), []);
    assert.deepEqual(drawAll(nodes), [
      ['next', []],
      ['done', ['task']],
    ]);
  });

  it('is at its new place although VS Code asks once more for what was below its old group, which is gone', () => {
    const nodes = new TreeChildren();
    nodes.update([row('running', 'running', [row('task')])]);
    const [running] = nodes.showRoots();
    assert.ok(running);
    assert.deepEqual(keys(nodes.showBelow(running)), ['task']);
    assert.equal(nodes.update([row('done', 'done', [row('task')])]), 'all');
    const [done] = nodes.showRoots();
    assert.ok(done);
    assert.deepEqual(nodes.showBelow(running), []);
    assert.deepEqual(keys(nodes.showBelow(done)), ['task']);
  });

  it('is at its new place at once if its group was never opened', () => {
    const nodes = new TreeChildren();
    nodes.update(before);
    const [, done] = nodes.showRoots();
    assert.ok(done);
    assert.deepEqual(keysOf(nodes.update(after)), ['next', 'done']);
    assert.deepEqual(keys(nodes.showBelow(done)), ['task']);
  });

  it('makes the whole tree be drawn again even if it was nowhere in between', () => {
    const nodes = new TreeChildren();
    nodes.update(before);
    drawAll(nodes);
    assert.deepEqual(keysOf(nodes.update([row('next', 'next', []), row('done', 'done', [])])), ['next']);
    assert.equal(nodes.update(after), 'all');
  });
});

describe('What the tree redraws', () => {
  const rows = (label = 'b'): TreeRow[] => [row('group', 'group', [row('a'), row('b', label)]), row('other')];

  it('is nothing if no row changed', () => {
    assert.deepEqual(redrawn(rows(), rows()), []);
  });

  it('is only the row that changed', () => {
    assert.deepEqual(redrawn(rows(), rows('new')), ['b']);
  });

  it('is the group to which a row was added, or in which rows changed places', () => {
    const more = [row('group', 'group', [row('a'), row('b'), row('c')]), row('other')];
    assert.deepEqual(redrawn(rows(), more), ['group']);
    assert.deepEqual(redrawn(rows(), [row('group', 'group', [row('b'), row('a')]), row('other')]), ['group']);
  });

  it('is a group whose title changed once, with all below it', () => {
    assert.deepEqual(redrawn(rows(), [row('group', 'new', [row('a'), row('b', 'new')]), row('other')]), [
      'group',
    ]);
  });

  it('is everything if a row at the top is new', () => {
    assert.equal(redrawn(rows(), [row('top'), ...rows()]), 'all');
    assert.equal(redrawn([], rows()), 'all');
  });

  it('is everything if a row moves from one group to the other', () => {
    const [a, b] = [row('x', 'x', [row('task')]), row('y', 'y', [])];
    assert.equal(redrawn([a, b], [row('x', 'x', []), row('y', 'y', [row('task')])]), 'all');
  });

  it('are both groups if one loses a row and the other gets a new one', () => {
    const [a, b] = [row('x', 'x', [row('task')]), row('y', 'y', [])];
    assert.deepEqual(redrawn([a, b], [row('x', 'x', []), row('y', 'y', [row('new')])]), ['x', 'y']);
  });

  it('is drawn with the same node for the same key', () => {
    const nodes = new TreeChildren();
    nodes.update(rows());
    const [before] = nodes.showRoots();
    nodes.update(rows('new'));
    assert.equal(nodes.showRoots()[0], before);
    assert.equal(before?.children[1]?.row.label, 'new');
  });
});
