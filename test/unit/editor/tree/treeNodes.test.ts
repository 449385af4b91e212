import assert from 'node:assert/strict';
import { TreeNodes, type Redraw } from '../../../../src/editor/tree/treeNodes';
import type { TreeRow } from '../../../../src/editor/tree/rows/treeRow';

const row = (key: string, label = key, children?: readonly TreeRow[]): TreeRow => ({
  key,
  label,
  description: '',
  ...(children === undefined ? {} : { children }),
});

const keysOf = (redraw: Redraw): unknown => (redraw === 'all' ? 'all' : redraw.map(({ key }) => key));

/** Returns the keys of the nodes that are redrawn after the first rows were replaced by the second. */
function redrawn(before: readonly TreeRow[], after: readonly TreeRow[]): unknown {
  const nodes = new TreeNodes();
  nodes.update(before);
  return keysOf(nodes.update(after));
}

describe('What the tree has drawn', () => {
  it('stays as it was until the redraw, when all rows change their place together', () => {
    const nodes = new TreeNodes();
    const drawn = (): unknown => nodes.drawnRoots.map((node) => [node.key, node.drawn.map(({ key }) => key)]);
    nodes.update([row('next', 'next', [row('task')]), row('done', 'done', [])]);
    assert.deepEqual(drawn(), []);
    nodes.draw();
    nodes.update([row('next', 'next', []), row('done', 'done', [row('task')])]);
    assert.deepEqual(drawn(), [
      ['next', ['task']],
      ['done', []],
    ]);
    nodes.draw();
    assert.deepEqual(drawn(), [
      ['next', []],
      ['done', ['task']],
    ]);
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
    const nodes = new TreeNodes();
    nodes.update(rows());
    const [before] = nodes.roots;
    nodes.update(rows('new'));
    assert.equal(nodes.roots[0], before);
    assert.equal(before?.children[1]?.row.label, 'new');
  });
});
